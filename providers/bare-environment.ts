/** The whole environment of a program that the host runs: none of our settings, and none of our secrets. */
export const bareEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** The same for programs that are installed anywhere on the search path of this process, such as ffmpeg. */
export const searchEnvironment = { ...bareEnvironment, PATH: process.env['PATH'] ?? bareEnvironment.PATH }
