import AFNetworking
import Foundation

let delegate = AppDelegate()
await withCheckedContinuation { continuation in
    delegate.applicationDidFinishLaunching { continuation.resume() }
}
delegate.applicationWillTerminate()
print(delegate.log)
