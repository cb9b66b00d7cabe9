export function toolEnvironment(more?: Record<string, string>): Record<string, string | undefined>
