// SPDX-License-Identifier: Apache-2.0
// Run loops, strings, data and URLs of Core Foundation, as programs for macOS write them.
import AudioToolbox
import CoreFoundation
import Foundation

let position: SInt64 = SInt64(0)
let count = ByteCount(4)
let status = OSStatus(kAudio_ParamError)
print("types", position, count, status)

let url = URL(fileURLWithPath: "/tmp/a b.caf") as CFURL
let path = "/tmp/a b.caf" as CFString
let made: CFURL? = CFURLCreateWithFileSystemPath(
  kCFAllocatorDefault, path, CFURLPathStyle.cfurlposixPathStyle, false)
print("urls", made == url)
let bytes = Array("/tmp/a b.caf".utf8)
let fromBytes = CFURLCreateFromFileSystemRepresentation(nil, bytes, bytes.count, false)
print("bytes", (fromBytes as URL?) == (url as URL))

let data = Data([1, 2, 3]) as CFData
print("data", CFDataGetLength(data), CFDataGetBytePtr(data)[2])
let unmanaged: Unmanaged<CFString> = Unmanaged.passRetained("x" as CFString)
print("string", unmanaged.takeRetainedValue() as String)

// A timer ends the first loop; the second times out.
var ticks = 0
let timer = CFRunLoopTimerCreateWithHandler(
  kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 0.01, 0.01, 0, 0
) { _ in
  ticks += 1
  if ticks == 3 { CFRunLoopStop(CFRunLoopGetCurrent()) }
}
CFRunLoopAddTimer(CFRunLoopGetMain(), timer, CFRunLoopMode.commonModes)
let result = CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 60, false)
print("stopped", result == .stopped, ticks)
CFRunLoopRemoveTimer(CFRunLoopGetMain(), timer, .commonModes)
print("timed out", CFRunLoopRunInMode(.defaultMode, 0.01, false) == .timedOut)

// Another thread schedules a block on the main run loop, in a mode given by its name.
DispatchQueue.global().async {
  CFRunLoopPerformBlock(CFRunLoopGetMain(), CFRunLoopMode.defaultMode.rawValue) {
    print("performed", Thread.isMainThread)
    CFRunLoopStop(CFRunLoopGetMain())
  }
  CFRunLoopWakeUp(CFRunLoopGetMain())
}
CFRunLoopRun()
print("common modes", CFRunLoopMode.commonModes.rawValue as String)
