// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import JSONText
internal import MIDIMessages
internal import MusicalTime

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
    try options.watch("quarter frames", as: WatchedTimecode.self)
  }
}

/// The time code of one port.
private struct WatchedTimecode: WatchedClock {
  static let status: UInt8 = 0xF1
  private var follower = MTCFollower()

  static func concerns(_ payload: EventPayload) -> Bool {
    switch payload {
    case .message(let message): message.status == status
    case .sysEx: true
    default: false
    }
  }

  mutating func take(
    _ event: HostEvent, _ payloads: ContiguousArray<UInt8>
  ) -> FollowerEvents {
    switch event.payload {
    case .message(let message): return follower.take(message, at: event.time)
    case .sysEx(let place):
      let range = Int(place.offset)..<Int(place.offset + place.count)
      return follower.take(sysEx: payloads.span.extracting(range), at: event.time)
    default: return follower.advance(to: event.time)
    }
  }

  mutating func advance(to now: HostTime) -> FollowerEvents { follower.advance(to: now) }

  var text: String {
    guard let position = follower.position else { return "no time code" }
    let rate = follower.recognizedRate ?? FrameRate(mtcCode: position.code)
    let speed = follower.speed.map { ", speed \($0.decimal(4))" } ?? ""
    let jitter = follower.estimate.map { ", jitter \(($0.jitter / 1e6).decimal(3)) ms" } ?? ""
    return "\(FollowedPosition.timecode(position).words) at \(rate)\(speed)\(jitter),"
      + " \(follower.lock), \(follower.lostQuarterFrames) lost"
  }

  var members: [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [("type", "mtc")]
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
    return members
  }
}
