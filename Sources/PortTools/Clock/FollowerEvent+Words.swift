// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import CommandKit
internal import CommandOptions
package import JSONText
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

extension FollowerEvent {
  /// The sentence for the user; nil if the event is not reported.
  package var sentence: String? {
    switch self {
    case .located(let place): "position \(place.words)"
    case .armed: nil
    case .started(let place, _): "started at \(place.words)"
    case .stopped(let reason, _): "stopped: \(reason.words)"
    case .jumped(let place): "jumped to \(place.words)"
    case .locked: "locked"
    case .freewheeling: "no clock received; continuing at the last tempo"
    case .lost: "master lost"
    case .turned(let direction): direction == .forward ? "running forwards" : "running backwards"
    case .wrongFormat(let code): "time code at another rate: \(FrameRate(mtcCode: code))"
    case .recognized(let rate): "frame rate: \(rate)"
    case .ignored: "ignored a song position received while running"
    case .tempoOutOfRange: "the tempo is outside 1…999 BPM"
    case .clocksInPairs:
      "warning: clocks arrive in pairs, so the tempo may be twice the master's (check that it is "
        + "connected once, and that no other master sends to this port)"
    }
  }
}

extension FollowerEvent {
  /// True if the clocks after the event are on a different grid.
  var breaksGrid: Bool {
    switch self {
    case .started, .jumped, .lost, .turned: true
    default: false
    }
  }

  /// The members of a JSON document: name, sentence and position, in clocks or quarter frames.
  package func members(_ words: String) -> [(name: String, value: JSONValue)] {
    [("type", "event"), ("event", .text(name))] + facts(words)
  }

  /// The members without the name.
  fileprivate func facts(_ words: String) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [("words", .text(words))]
    switch position {
    case .clock(let clock): members.append(("clock", .integer(Int(clock.count))))
    case .timecode(let place): members.append(("quarter_frame", .integer(Int(place.count))))
    case nil: break
    }
    return members
  }

  fileprivate var name: String {
    switch self {
    case .located: "located"
    case .armed: "armed"
    case .started: "started"
    case .stopped: "stopped"
    case .jumped: "jumped"
    case .locked: "locked"
    case .freewheeling: "freewheeling"
    case .lost: "lost"
    case .turned: "turned"
    case .wrongFormat: "wrong-format"
    case .recognized: "recognized"
    case .ignored: "ignored"
    case .tempoOutOfRange: "tempo-out-of-range"
    case .clocksInPairs: "clocks-in-pairs"
    }
  }

  private var position: FollowedPosition? {
    switch self {
    case .located(let place), .started(let place, _), .stopped(_, let place), .jumped(let place):
      place
    default: nil
    }
  }
}

extension JSONReport {
  /// Reports an event of a master.
  package static func tell(_ event: FollowerEvent, _ words: String) {
    tell(event.name, event.facts(words))
  }
}

extension FollowedPosition {
  /// The position in the unit of the clock: beats or time code.
  package var words: String {
    switch self {
    case .clock(let clock): "beat \(Ratio(clock.count, over: 24).decimal(3))"
    case .timecode(let place): FrameRate(mtcCode: place.code).text(of: place.label)
    }
  }
}

extension StopReason {
  /// The reason in words.
  package var words: String {
    switch self {
    case .command: "by command"
    case .stopMessage: "the master stopped"
    case .restarted: "the master restarted"
    case .sourceLost: "the master was lost for 1 s; waiting for it to start"
    case .gap: "the master was lost for 1 s; waiting for its next clock"
    case .fullFrame: "the master moved to another position (full frame)"
    case .notPlayable: "time code runs backwards or too slowly"
    case .wrongFormat: "the time code changed its frame rate"
    case .tempoOutOfRange: "the tempo is outside 1…999 BPM"
    }
  }
}
