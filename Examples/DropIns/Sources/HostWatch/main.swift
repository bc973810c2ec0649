import Foundation
import SystemConfiguration

// Usage: HostWatch [HOST]. Tells the first answer about the host, and ends.
let host = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "localhost"

guard
    let watch = HostWatch(
        host: host,
        onChange: { flags in
            print("\(host): \(flags.contains(.reachable) ? "reachable" : "not reachable")")
            CFRunLoopStop(CFRunLoopGetMain())
        }),
    watch.start()
else {
    print("\(host): \(String(cString: SCErrorString(SCError())))")
    exit(1)
}
if let flags = watch.flags { print("\(host): until the answer, flags are 0x\(String(flags.rawValue, radix: 16))") }
CFRunLoopRun()
watch.stop()
