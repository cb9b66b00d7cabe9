import { existsSync } from 'node:fs'

/** Path of the socket's folder inside the sandbox. */
export const networkFolder = '/run/network'
export const socketName = 'proxy'

export type Interpreter = 'perl' | 'node'

/**
 * Perl script that listens on the sandbox's loopback interface and then executes the program. A background process copies
 * bytes between the sockets. It exits when it is the last process, because no other process ends it after a worker was killed.
 * The script contains Linux constants, because loading the modules that define them takes longer than all other work.
 */
const perlBridge = String.raw`
use strict;
my ($UNIX, $INET, $STREAM, $SOCKET, $REUSE) = (1, 2, 1, 1, 2);
my ($GET, $SET, $NONBLOCK, $INTERRUPTED, $AGAIN) = (3, 4, 2048, 4, 11);
my ($path, $ports, @program) = @ARGV;
my @doors;
for my $port (split /,/, $ports) {
  socket(my $door, $INET, $STREAM, 0) or next;
  setsockopt $door, $SOCKET, $REUSE, 1;
  push @doors, $door if bind($door, pack 'S n a4 x8', $INET, $port, "\x7f\0\0\1") && listen $door, 128;
}
my $child = fork;
if (!defined $child || $child) {
  waitpid $child, 0 if $child;
  exec { $program[0] } @program or exit 127;
}
exit 0 if fork;
$0 = 'network'; @ARGV = (); setpgrp; $SIG{PIPE} = 'IGNORE'; chdir '/';
open STDIN, '<', '/dev/null'; open STDOUT, '>', '/dev/null'; open STDERR, '>', '/dev/null';
for my $at (3 .. 9) {
  next if grep { fileno $_ == $at } @doors;
  my $inherited;
  close $inherited if open $inherited, '<&=', $at;
}
fcntl $_, $SET, $NONBLOCK | fcntl $_, $GET, 0 for @doors;
my (%end, %other, %waiting, %ended, %shut);
sub add {
  my ($one, $peer) = @_;
  fcntl $one, $SET, $NONBLOCK | fcntl $one, $GET, 0;
  my $at = fileno $one;
  ($end{$at}, $other{$at}, $waiting{$at}) = ($one, fileno $peer, '');
}
sub alone { opendir my $all, '/proc' or return 0; !grep { /^\d+$/ && $_ != 1 && $_ != $$ } readdir $all }
sub fatal { $! != $AGAIN && $! != $INTERRUPTED }
sub drop {
  my @pair = ($_[0], $other{$_[0]});
  close $_ for delete @end{@pair};
  delete @{$_}{@pair} for \%other, \%waiting, \%ended, \%shut;
}
while () {
  my ($reading, $writing) = ('', '');
  vec($reading, fileno $_, 1) = 1 for @doors;
  for (keys %end) {
    vec($reading, $_, 1) = 1 if !$ended{$_} && length $waiting{$other{$_}} < 262144;
    vec($writing, $_, 1) = 1 if length $waiting{$_};
  }
  my $ready = select $reading, $writing, undef, 5;
  exit 0 if !$ready && alone();
  next if $ready < 1;
  for my $at (keys %end) {
    next unless $end{$at};
    if (vec $reading, $at, 1) {
      my $count = sysread $end{$at}, my $bytes, 65536;
      if ($count) { $waiting{$other{$at}} .= $bytes }
      elsif (defined $count) { $ended{$at} = 1 }
      elsif (fatal()) { drop($at); next }
    }
    if (vec $writing, $at, 1) {
      my $count = syswrite $end{$at}, $waiting{$at};
      if (defined $count) { substr($waiting{$at}, 0, $count) = '' }
      elsif (fatal()) { drop($at); next }
    }
  }
  for my $at (keys %ended) {
    next unless $end{$at};
    my $peer = $other{$at};
    if ($waiting{$peer} eq '' && !$shut{$peer}) { shutdown $end{$peer}, 1; $shut{$peer} = 1 }
    drop($at) if $shut{$at} && $shut{$peer};
  }
  for (@doors) {
    next unless vec $reading, fileno $_, 1;
    next unless accept my $inner, $_;
    socket(my $outer, $UNIX, $STREAM, 0);
    connect $outer, pack 'S Z*', $UNIX, $path or next;
    add($inner, $outer); add($outer, $inner);
  }
}
`

/** Node.js script for machines without Perl. It starts more slowly and writes a line when it listens. */
const nodeBridge = `
const net = require('node:net')
const [path, ports] = process.argv.slice(1)
const listening = ports.split(',').map((port) => new Promise((resolve) => {
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const proxy = net.connect({ path, allowHalfOpen: true })
    const end = () => { client.destroy(); proxy.destroy() }
    client.on('error', end).pipe(proxy)
    proxy.on('error', end).pipe(client)
  })
  server.on('error', resolve).listen(Number(port), '127.0.0.1', resolve)
}))
process.title = 'network'
setInterval(() => {
  const others = require('node:fs').readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && name !== '1')
  if (others.every((name) => name === String(process.pid))) process.exit(0)
}, 5000)
process.stdout.on('error', () => {})
Promise.all(listening).then(() => process.stdout.write('\\n'))
`

const startNodeBridge = `
exec 9< <( (exec node -e "$1" "$2" "$3" < /dev/null 2> /dev/null 3<&- 4<&- 5<&- 6<&-) & )
read -r -u 9; exec 9<&-; shift 3; exec "$@"`

const perl = '/usr/bin/perl'

/** Returns the command line of a program with a bridge, which opens the ports of the network before the program starts. */
export function wrapInBridge(program: string[], ports: number[], interpreter?: Interpreter): string[] {
  const listenAddress = [`${networkFolder}/${socketName}`, ports.join(',')]
  return (interpreter ?? defaultInterpreter()) === 'perl'
    ? [perl, '-e', perlBridge, '--', ...listenAddress, ...program]
    : ['/bin/bash', '-c', startNodeBridge, 'bash', nodeBridge, ...listenAddress, ...program]
}

function defaultInterpreter(): Interpreter {
  return existsSync(perl) && ['arm64', 'x64'].includes(process.arch) ? 'perl' : 'node'
}
