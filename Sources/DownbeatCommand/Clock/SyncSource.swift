// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ArgumentParser
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// A master as a flag names it: `midi:PORT`, `mtc:PORT`, `clock:NAME`.
struct SyncSource: ExpressibleByArgument {
  enum Kind: String {
    case midi, mtc, clock
  }

  let kind: Kind
  /// The port or the name.
  let target: String

  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
    self.kind = kind
    target = parts[1]
  }

  /// Puts the master in the place of a lane's clock.
  ///
  /// - Parameters:
  ///   - lane: The lane.
  ///   - context: The maps and the offset of what is played.
  ///   - signals: What ends the search for a port.
  ///   - tell: Told, on the event thread, of what the master does.
  /// - Throws: where the port or the clock is not there.
  func drive(
    _ lane: EventLane, context: TimeContext, signals: SignalWait,
    _ tell: @escaping (FollowerEvent) -> Void
  ) throws {
    lane.onMasterEvent = tell
    if case .smpte = context.tempoMap.division, kind != .mtc {
      throw Failure(.usage, "--sync: a song counted in frames can follow mtc:PORT only")
    }
    let source: ExternalClock.Source
    switch kind {
    case .midi:
      source = .midiClock(MIDIClockFollower())
      lane.masterInput = try openInput(signals)
    case .mtc:
      source = .timecode(MTCFollower(), rate: context.frameRate)
      lane.masterInput = try openInput(signals)
    case .clock:
      let reader = try SharedClockReader(name: target)
      guard case .running = reader.publisher else {
        throw Failure(.noDevice, "clock '\(target)': whoever served it is gone")
      }
      source = .shared(SharedClockFollower(reader, division: context.tempoMap.division))
    }
    lane.master = ExternalClock(
      following: source, tempoMap: context.tempoMap,
      offset: context.smpteOffset)
  }

  private func openInput(_ signals: SignalWait) throws -> InputPort {
    let client = try ALSAClient(name: "downbeat sync")
    let input = try InputPort(client, name: "in")
    let found = try PortFinder(client: client, signals: signals, waits: false).find(
      [target], .source)
    for endpoint in found { try input.connect(to: endpoint) }
    return input
  }
}

extension FollowerEvent {
  /// What a person is told; nil for what is no news.
  var sentence: String? {
    switch self {
    case .located(let place): "position \(place.words)"
    case .armed: nil
    case .started(let place, _): "started at \(place.words)"
    case .stopped(let reason, _): "stopped: \(reason.words)"
    case .jumped(let place): "jumped to \(place.words)"
    case .locked: "locked"
    case .freewheeling: "no clock comes; going on as before"
    case .lost: "the master is gone"
    case .turned(let direction): direction == .forward ? "forwards" : "backwards"
    case .wrongFormat(let code): "time code of another format: \(FrameRate(mtcCode: code))"
    case .recognized(let rate): "the rate is \(rate)"
    case .ignored: "a song position came while running and was ignored"
    case .tempoOutOfRange: "the tempo is outside 1…999"
    }
  }
}

extension FollowedPosition {
  /// The position as its kind of clock counts it.
  var words: String {
    switch self {
    case .clock(let clock): "beat \(Ratio(clock.count, over: 24).decimal(3))"
    case .timecode(let place): FrameRate(mtcCode: place.code).text(of: place.label)
    }
  }
}

extension StopReason {
  /// The reason in words.
  var words: String {
    switch self {
    case .stopMessage: "the master stopped"
    case .restarted: "the master starts anew"
    case .sourceLost: "the master was lost for 1 s"
    case .fullFrame: "the master located"
    case .notPlayable: "time code runs backwards or too slowly"
    case .wrongFormat: "time code changed its format"
    case .tempoOutOfRange: "the tempo is outside 1…999"
    }
  }
}
