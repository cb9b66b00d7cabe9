/** Complete environment of a program that runs on the host. It contains no settings and no secrets. */
export const bareEnvironment = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Like `bareEnvironment`, with the search path of this process, for programs such as ffmpeg. */
export const searchEnvironment = { ...bareEnvironment, PATH: process.env['PATH'] ?? bareEnvironment.PATH }
