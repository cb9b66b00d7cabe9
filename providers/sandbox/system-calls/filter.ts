import { returnVerdict, assemble, field, load, unless, when, type Instruction } from './bpf.ts'
import { architectures, newestCall, findCallNumber, type CallName, type Processor } from './numbers.ts'

const allow = 0x7fff0000
const kill = 0x80000000
const errors = { EPERM: 1, ENOSYS: 38, EPROTONOSUPPORT: 93, EAFNOSUPPORT: 97 }

/** Bit that marks system calls of the x32 ABI. */
const x32Calls = 0x40000000

/** Calls that fail with EPERM. They are administrative or could give access to resources outside the sandbox. */
export const refusedCalls: CallName[] = [
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'move_mount', 'mount_setattr', 'open_tree'] as const),
  ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'statmount', 'listmount', 'setns'] as const),
  ...(['name_to_handle_at', 'open_by_handle_at', 'fanotify_init', 'quotactl', 'quotactl_fd'] as const),
  ...(['bpf', 'perf_event_open', 'userfaultfd', 'lookup_dcookie', 'kcmp', 'pidfd_getfd'] as const),
  ...(['add_key', 'request_key', 'keyctl'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'create_module', 'kexec_load', 'kexec_file_load'] as const),
  ...(['reboot', 'swapon', 'swapoff', 'acct', 'syslog', 'sethostname', 'setdomainname', 'vhangup'] as const),
  ...(['settimeofday', 'clock_settime', 'iopl', 'ioperm', 'modify_ldt', 'nfsservctl'] as const),
  ...(['mbind', 'get_mempolicy', 'set_mempolicy', 'set_mempolicy_home_node', 'move_pages', 'migrate_pages'] as const),
  ...(['_sysctl', 'sysfs', 'uselib', 'ustat'] as const),
]

/** Calls that fail with ENOSYS, as on an older kernel, so that programs use their fallback. */
export const absentCalls: CallName[] = ['io_uring_setup', 'io_uring_enter', 'io_uring_register', 'clone3']

/** CLONE_NEW… flags of all namespaces except time, whose flag is valid only for `unshare`; `clone` reads it as a signal. */
const namespaces = 0x7e020000
const timeNamespace = 0x80

/** TIOCSTI (injected keyboard input), TIOCLINUX (console selection) and TIOCSETD (line discipline). */
const refusedIoctls = [0x5412, 0x541c, 0x5423]

/** PER_LINUX and PER_LINUX32, with and without UNAME26, and the query of the current personality. */
const allowedPersonalities = [0, 0x8, 0x20000, 0x20008, 0xffffffff]

/** Address families and protocols: AF_UNIX with all, AF_INET and AF_INET6 with TCP, UDP and ICMP, AF_NETLINK with routes. */
const internet = [0, 1, 6, 17, 58]
const sockets: [family: number, protocols: number[] | 'all'][] = [
  [1, 'all'],
  [2, internet],
  [10, internet],
  [16, [0]],
]

const socketRule = sockets.flatMap(([family, protocols]) =>
  when(
    'equal',
    family,
    protocols === 'all'
      ? [returnVerdict(allow)]
      : [load(field.argument(2)), ...whenAnyOf(protocols, returnVerdict(allow)), refuse('EPROTONOSUPPORT')],
  ),
)

/** Rules per call. Each rule ends with a return instruction. */
const rules: [CallName, Instruction[]][] = [
  ...refusedCalls.map((name): [CallName, Instruction[]] => [name, [refuse('EPERM')]]),
  ...absentCalls.map((name): [CallName, Instruction[]] => [name, [refuse('ENOSYS')]]),
  ['clone', refuseNamespaces(namespaces)],
  ['unshare', refuseNamespaces(namespaces | timeNamespace)],
  ['socket', [load(field.argument(0)), ...socketRule, refuse('EAFNOSUPPORT')]],
  ['socketpair', [load(field.argument(0)), ...when('equal', 1, [returnVerdict(allow)]), refuse('EAFNOSUPPORT')]],
  ['ioctl', [load(field.argument(1)), ...whenAnyOf(refusedIoctls, refuse('EPERM')), returnVerdict(allow)]],
  ['personality', [load(field.argument(0)), ...whenAnyOf(allowedPersonalities, returnVerdict(allow)), refuse('EPERM')]],
]

/** Rules for system calls of another ABI of the same kernel, whose numbers have other meanings. */
const foreignCalls: Record<Processor, Instruction[]> = {
  // A tracer skips a call with this number.
  x64: [...when('equal', 0xffffffff, [refuse('ENOSYS')]), ...when('atLeast', x32Calls, [returnVerdict(kill)])],
  arm64: [],
}

/**
 * Builds the seccomp program of the sandboxes on this processor. A call of another architecture kills the process, a call newer
 * than `newestCall` fails with ENOSYS, and `rules` apply to all other calls.
 */
export function systemCallFilter(processor: Processor): Buffer {
  return assemble([
    load(field.architecture),
    ...unless('equal', architectures[processor], [returnVerdict(kill)]),
    load(field.number),
    ...foreignCalls[processor],
    ...when('atLeast', newestCall + 1, [refuse('ENOSYS')]),
    ...rules.flatMap(([name, rule]) => {
      const number = findCallNumber(name, processor)
      return number === undefined ? [] : when('equal', number, rule)
    }),
    returnVerdict(allow),
  ])
}

function whenAnyOf(values: number[], verdict: Instruction): Instruction[] {
  return values.flatMap((value) => when('equal', value, [verdict]))
}

function refuse(error: keyof typeof errors): Instruction {
  return returnVerdict(0x50000 | errors[error])
}

function refuseNamespaces(bits: number): Instruction[] {
  return [load(field.argument(0)), ...when('anyBit', bits, [refuse('EPERM')]), returnVerdict(allow)]
}
