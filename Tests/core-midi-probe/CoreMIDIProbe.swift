// SPDX-License-Identifier: Apache-2.0
// A program that was written for Core MIDI and knows nothing of ALSA: `CoreMIDIProbe DEED [NAME]`.
//
//   list           tells of every device and endpoint
//   watch          tells of endpoints that come and go, until it is ended
//   send NAME      sends to a destination at once, later, a long SysEx, and takes the future back
//   receive NAME   tells what a source and a destination of its own get, for some seconds
//   emit           sends from a source of its own once a second
//   thru NAME      connects the sequencer's through port with a destination, channels 1 to 5
//   play NAME      plays a sequence there, and stops in the middle of a note
//   clock NAME     sends MIDI clock and time code there
import AudioToolbox
import CoreMIDI
import Foundation

@main
struct CoreMIDIProbe {
  static func main() {
    let words = CommandLine.arguments.dropFirst()
    let name = words.dropFirst().first ?? ""
    switch words.first {
    case "list": Directory.tell()
    case "watch": Watcher.run()
    case "send": Sender(to: name).run()
    case "receive": Receiver(from: name).run()
    case "emit": Emitter().run()
    case "thru": Thru.run(to: name)
    case "play": Player.run(on: name)
    case "clock": Clock.run(on: name)
    default: exit(64)
    }
  }

  /// Prints words with bars between them, at once.
  static func say(_ words: Any...) {
    print(words.map { "\($0)" }.joined(separator: " | "))
    fflush(nil)
  }

  static func sleep(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

  /// Says what a call has returned where it is no 0.
  static func check(_ status: OSStatus, _ deed: String) {
    if status != 0 { say("\(deed): \(status)") }
  }
}
