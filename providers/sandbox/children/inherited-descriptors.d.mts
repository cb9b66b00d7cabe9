export declare const closeInheritedDescriptors: () => void
