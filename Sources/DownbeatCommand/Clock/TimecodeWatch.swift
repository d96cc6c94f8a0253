// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// Measures the MIDI time code of a port.
struct TimecodeWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure MIDI time code: label, rate, speed, jitter, lock.",
    discussion: """
      A line a second, a line for each event, and at the end how evenly the quarter frames came.

      EXAMPLES:
        downbeat mtc watch -p UM-ONE
        downbeat mtc watch -p UM-ONE --for 60s --svg jitter.svg
      """)

  @OptionGroup var options: WatchOptions

  func run() throws {
    var follower = MTCFollower()
    try options.watch("quarter frames", status: 0xF1) { event, payloads, now in
      switch event?.payload {
      case .message(let message): return follower.take(message, at: now)
      case .sysEx(let place):
        let range = Int(place.offset)..<Int(place.offset + place.count)
        return follower.take(sysEx: payloads.span.extracting(range), at: now)
      default: return follower.advance(to: now)
      }
    } report: {
      options.json ? Self.json(follower) : Self.text(follower)
    }
  }

  private static func text(_ follower: MTCFollower) -> String {
    guard let position = follower.position else { return "no time code" }
    let rate = follower.recognizedRate ?? FrameRate(mtcCode: position.code)
    let speed = follower.speed.map { ", speed \($0.decimal(4))" } ?? ""
    let jitter = follower.estimate.map { ", jitter \(($0.jitter / 1e6).decimal(3)) ms" } ?? ""
    return "\(FollowedPosition.timecode(position).words) at \(rate)\(speed)\(jitter),"
      + " \(follower.lock), \(follower.lostQuarterFrames) lost"
  }

  private static func json(_ follower: MTCFollower) -> String {
    var members: [(name: String, value: JSONValue)] = [("v", 1), ("type", "mtc")]
    if let position = follower.position {
      let rate = follower.recognizedRate ?? FrameRate(mtcCode: position.code)
      members += [
        ("label", .text(FollowedPosition.timecode(position).words)),
        ("quarter_frame", .integer(Int(position.count))), ("rate", .text("\(rate)")),
      ]
    }
    if let speed = follower.speed { members.append(("speed", .decimal(speed.decimal(6)))) }
    if let estimate = follower.estimate {
      members.append(("jitter_ms", .decimal((estimate.jitter / 1e6).decimal(4))))
    }
    members += [
      ("lock", .text("\(follower.lock)")), ("transport", .text("\(follower.transport)")),
      ("lost", .integer(follower.lostQuarterFrames)),
    ]
    return JSONValue.object(members).description
  }
}
