/** Processor names of Node.js. */
export type Processor = 'x64' | 'arm64'

/** Kernel constants (`AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`). */
export const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** Newest reviewed call (removexattrat). */
export const newestCall = 466

/** Numbers of the calls in the filter. */
export const numbers = {
  _sysctl: x64Only(156),
  acct: perProcessor(163, 89),
  add_key: perProcessor(248, 217),
  bpf: perProcessor(321, 280),
  chroot: perProcessor(161, 51),
  clock_settime: perProcessor(227, 112),
  clone: perProcessor(56, 220),
  clone3: sharedNumber(435),
  create_module: x64Only(174),
  delete_module: perProcessor(176, 106),
  fanotify_init: perProcessor(300, 262),
  finit_module: perProcessor(313, 273),
  fsconfig: sharedNumber(431),
  fsmount: sharedNumber(432),
  fsopen: sharedNumber(430),
  fspick: sharedNumber(433),
  get_mempolicy: perProcessor(239, 236),
  init_module: perProcessor(175, 105),
  io_uring_enter: sharedNumber(426),
  io_uring_register: sharedNumber(427),
  io_uring_setup: sharedNumber(425),
  ioctl: perProcessor(16, 29),
  ioperm: x64Only(173),
  iopl: x64Only(172),
  kcmp: perProcessor(312, 272),
  kexec_file_load: perProcessor(320, 294),
  kexec_load: perProcessor(246, 104),
  keyctl: perProcessor(250, 219),
  listmount: sharedNumber(458),
  lookup_dcookie: perProcessor(212, 18),
  mbind: perProcessor(237, 235),
  migrate_pages: perProcessor(256, 238),
  modify_ldt: x64Only(154),
  mount: perProcessor(165, 40),
  mount_setattr: sharedNumber(442),
  move_mount: sharedNumber(429),
  move_pages: perProcessor(279, 239),
  name_to_handle_at: perProcessor(303, 264),
  nfsservctl: perProcessor(180, 42),
  open_by_handle_at: perProcessor(304, 265),
  open_tree: sharedNumber(428),
  perf_event_open: perProcessor(298, 241),
  personality: perProcessor(135, 92),
  pidfd_getfd: sharedNumber(438),
  pivot_root: perProcessor(155, 41),
  quotactl: perProcessor(179, 60),
  quotactl_fd: sharedNumber(443),
  reboot: perProcessor(169, 142),
  request_key: perProcessor(249, 218),
  set_mempolicy: perProcessor(238, 237),
  set_mempolicy_home_node: sharedNumber(450),
  setdomainname: perProcessor(171, 162),
  sethostname: perProcessor(170, 161),
  setns: perProcessor(308, 268),
  settimeofday: perProcessor(164, 170),
  socket: perProcessor(41, 198),
  socketpair: perProcessor(53, 199),
  statmount: sharedNumber(457),
  swapoff: perProcessor(168, 225),
  swapon: perProcessor(167, 224),
  sysfs: x64Only(139),
  syslog: perProcessor(103, 116),
  umount2: perProcessor(166, 39),
  unshare: perProcessor(272, 97),
  uselib: x64Only(134),
  userfaultfd: perProcessor(323, 282),
  ustat: x64Only(136),
  vhangup: perProcessor(153, 58),
} satisfies Record<string, Partial<Record<Processor, number>>>

export type CallName = keyof typeof numbers

/** Returns the number of a call; undefined if the processor does not have the call. */
export function findCallNumber(name: CallName, processor: Processor): number | undefined {
  const numberByProcessor: Partial<Record<Processor, number>> = numbers[name]
  return numberByProcessor[processor]
}

function x64Only(x64: number): Partial<Record<Processor, number>> {
  return { x64 }
}

function perProcessor(x64: number, arm64: number): Record<Processor, number> {
  return { x64, arm64 }
}

// From 424, numbers are the same on all processors.
function sharedNumber(number: number): Record<Processor, number> {
  return { x64: number, arm64: number }
}
