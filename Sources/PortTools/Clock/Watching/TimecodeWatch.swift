// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandOptions
internal import JSONText
internal import MIDIMessages
internal import MusicalTime

/// The command `downbeat mtc watch`, which measures the MIDI time code from a port.
struct TimecodeWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Measure the position, rate, speed and jitter of MIDI time code.",
    discussion: """
      Prints a line per second and a line per event, and at the end the jitter of the quarter \
      frames.

      EXAMPLES:
        downbeat mtc watch -p UM-ONE
        downbeat mtc watch -p UM-ONE --for 60s --svg jitter.svg
      """)

  @OptionGroup var options: WatchOptions

  func run() throws {
    try options.watch("quarter frames", as: WatchedTimecode.self)
  }
}

/// Measures the time code from one port.
struct WatchedTimecode: WatchedClock {
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

  var line: WatchedLine {
    var line = WatchedLine(.mtc)
    line.lock = follower.lock
    line.transport = follower.transport
    line.set(follower.estimate)
    if let position = follower.position {
      line.label = FollowedPosition.timecode(position).words
      line.rate = (
        follower.recognizedRate ?? FrameRate(mtcCode: position.code), follower.speed
      )
      line.facts.append(.init(name: "quarter_frame", value: .integer(Int(position.count))))
    }
    line.facts.append(.init(counted: "lost", follower.lostQuarterFrames))
    return line
  }
}
