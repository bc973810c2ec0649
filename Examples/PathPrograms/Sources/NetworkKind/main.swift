import Dispatch

let watcher = KindWatcher()
watcher.start()
dispatchMain()
