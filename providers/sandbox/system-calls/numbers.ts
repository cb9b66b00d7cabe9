/** Processor names of Node.js. */
export type Processor = 'x64' | 'arm64'

/** Kernel constants (`AUDIT_ARCH_X86_64`, `AUDIT_ARCH_AARCH64`). */
export const architectures: Record<Processor, number> = { x64: 0xc000003e, arm64: 0xc00000b7 }

/** Newest reviewed call (removexattrat). */
export const newestCall = 466

/** Numbers of the calls in the filter. */
export const numbers = {
  _sysctl: x64Only(156),
  acct: each(163, 89),
  add_key: each(248, 217),
  bpf: each(321, 280),
  chroot: each(161, 51),
  clock_settime: each(227, 112),
  clone: each(56, 220),
  clone3: both(435),
  create_module: x64Only(174),
  delete_module: each(176, 106),
  fanotify_init: each(300, 262),
  finit_module: each(313, 273),
  fsconfig: both(431),
  fsmount: both(432),
  fsopen: both(430),
  fspick: both(433),
  get_mempolicy: each(239, 236),
  init_module: each(175, 105),
  io_uring_enter: both(426),
  io_uring_register: both(427),
  io_uring_setup: both(425),
  ioctl: each(16, 29),
  ioperm: x64Only(173),
  iopl: x64Only(172),
  kcmp: each(312, 272),
  kexec_file_load: each(320, 294),
  kexec_load: each(246, 104),
  keyctl: each(250, 219),
  listmount: both(458),
  lookup_dcookie: each(212, 18),
  mbind: each(237, 235),
  migrate_pages: each(256, 238),
  modify_ldt: x64Only(154),
  mount: each(165, 40),
  mount_setattr: both(442),
  move_mount: both(429),
  move_pages: each(279, 239),
  name_to_handle_at: each(303, 264),
  nfsservctl: each(180, 42),
  open_by_handle_at: each(304, 265),
  open_tree: both(428),
  perf_event_open: each(298, 241),
  personality: each(135, 92),
  pidfd_getfd: both(438),
  pivot_root: each(155, 41),
  quotactl: each(179, 60),
  quotactl_fd: both(443),
  reboot: each(169, 142),
  request_key: each(249, 218),
  set_mempolicy: each(238, 237),
  set_mempolicy_home_node: both(450),
  setdomainname: each(171, 162),
  sethostname: each(170, 161),
  setns: each(308, 268),
  settimeofday: each(164, 170),
  socket: each(41, 198),
  socketpair: each(53, 199),
  statmount: both(457),
  swapoff: each(168, 225),
  swapon: each(167, 224),
  sysfs: x64Only(139),
  syslog: each(103, 116),
  umount2: each(166, 39),
  unshare: each(272, 97),
  uselib: x64Only(134),
  userfaultfd: each(323, 282),
  ustat: x64Only(136),
  vhangup: each(153, 58),
} satisfies Record<string, Partial<Record<Processor, number>>>

export type CallName = keyof typeof numbers

/** Undefined if the processor does not have the call. */
export function findCallNumber(name: CallName, processor: Processor): number | undefined {
  const known: Partial<Record<Processor, number>> = numbers[name]
  return known[processor]
}

function x64Only(x64: number): Partial<Record<Processor, number>> {
  return { x64 }
}

function each(x64: number, arm64: number): Record<Processor, number> {
  return { x64, arm64 }
}

// From 424, the numbers are equal on all processors.
function both(number: number): Record<Processor, number> {
  return { x64: number, arm64: number }
}
