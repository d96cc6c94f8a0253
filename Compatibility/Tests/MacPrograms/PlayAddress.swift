// SPDX-License-Identifier: Apache-2.0
// A program as written for macOS: plays an address to its end.
//
// Argument: the address.
import AVFoundation
import Foundation

guard let address = URL(string: CommandLine.arguments[1]) else { exit(1) }
let player = AVPlayer(url: address)
let end = NotificationCenter.default.addObserver(
  forName: .AVPlayerItemDidPlayToEndTime, object: player.currentItem, queue: nil
) { _ in CFRunLoopStop(CFRunLoopGetMain()) }

var times: [Double] = []
let interval = CMTime(value: 1, timescale: 10)
let observer = player.addPeriodicTimeObserver(forInterval: interval, queue: .main) { time in
  times.append(CMTimeGetSeconds(time))
}
player.volume = 0.5
player.play()
let reason = CFRunLoopRunInMode(.defaultMode, 60, false)
player.removeTimeObserver(observer)
NotificationCenter.default.removeObserver(end)

print("ended", reason == .stopped, "paused", player.timeControlStatus == .paused)
if let item = player.currentItem {
  print("ready", item.status == .readyToPlay, "error", item.error == nil)
}
print("observed", times.count > 5, "in order", times == times.sorted())
