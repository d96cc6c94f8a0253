// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import RTPMIDI
internal import Realtime
internal import Synchronization

/// Events and commands for the sessions' thread, in order, and the number that has not been sent.
final class SessionOutbox: Sendable {
  /// An event or command.
  enum Letter: Sendable {
    case message(Message, at: HostTime)
    /// A SysEx message, or the given part of one.
    case sysEx([UInt8], SysExPart?, at: HostTime)
    case cancel(from: HostTime)
    case silence
    case invite(SessionAddress, name: String, isQuestion: Bool)
    case end

    /// Returns true if a later letter cancels this one.
    func isVoid(before other: Letter) -> Bool {
      let time: HostTime
      switch self {
      case .message(_, let at), .sysEx(_, _, let at): time = at
      case .cancel, .silence, .invite, .end: return false
      }
      return switch other {
      case .cancel(let from): time >= from
      case .silence, .end: true
      case .message, .sysEx, .invite: false
      }
    }
  }

  /// The progress of sending.
  struct Departures: Sendable {
    /// The number of bytes of long SysEx messages that have been sent, and their total.
    var sysEx = (sent: 0, total: 0)
    /// The latest time of an event that has been sent.
    var last = HostTime.zero
    /// The longest delay of an event behind a long SysEx, in nanoseconds.
    var delay: Int64 = 0
  }

  /// The most waiting events; the last `reserve` of them can only be releases and clocks.
  private static let capacity = 8_000
  private static let reserve = 200

  fileprivate struct State {
    var letters: [Letter] = []
    /// The number of events that the thread has and has not sent.
    var held = 0
    /// The number of bytes of long SysEx messages among the letters.
    var longOctets = 0
    var departures = Departures()
    /// The latest time of events that were accepted and not cancelled.
    var last = HostTime.zero
  }

  private let state = Mutex(State())

  /// Accepts events in order, as far as there is room, and returns their number.
  func take(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    state.withLock { state in
      for index in events.indices {
        guard state.take(events[index], payloads) else { return index }
      }
      return events.count
    }
  }

  /// Adds a command.
  func post(_ letter: Letter) {
    state.withLock { state in
      state.letters.append(letter)
      if case .cancel(let from) = letter { state.last = min(state.last, from) }
    }
  }

  /// Exchanges the letters for an empty list.
  ///
  /// Until `settle` they count as held.
  func exchange(_ letters: inout [Letter]) {
    state.withLock { state in
      guard !state.letters.isEmpty else { return }
      swap(&state.letters, &letters)
      state.held += letters.count
      state.departures.sysEx.total += state.longOctets
      state.longOctets = 0
    }
  }

  /// Reports the number of events that the thread still has, and the progress of sending.
  func settle(held: Int, _ departures: Departures) {
    state.withLock { state in
      let delay = max(state.departures.delay, departures.delay)
      (state.held, state.departures) = (held, departures)
      state.departures.delay = delay
    }
  }

  /// True if everything has been sent.
  var isEmpty: Bool { state.withLock { $0.letters.isEmpty && $0.held == 0 } }

  /// True if everything has been sent and is audible at an instant.
  func isDrained(at now: HostTime) -> Bool {
    state.withLock {
      $0.letters.isEmpty && $0.held == 0 && max($0.last, $0.departures.last) <= now
    }
  }

  /// True if events wait for a long SysEx, or will be late because of one.
  func isHoldingBack(at now: HostTime) -> Bool {
    state.withLock { $0.longTotal > 0 || $0.departures.last > now }
  }

  /// The number of bytes of long SysEx messages that have been sent, and their total.
  var progress: (sent: Int, total: Int) {
    state.withLock { ($0.departures.sysEx.sent, $0.longTotal) }
  }

  /// The longest delay of an event behind a long SysEx since the last call, in nanoseconds.
  func takeLongestDelay() -> Int64 {
    state.withLock { state in
      defer { state.departures.delay = 0 }
      return state.departures.delay
    }
  }
}

extension SessionOutbox.State {
  /// The number of bytes of long SysEx messages that have not been sent completely.
  fileprivate var longTotal: Int { departures.sysEx.total + longOctets }

  fileprivate mutating func take(_ event: HostEvent, _ payloads: Span<UInt8>) -> Bool {
    let count = letters.count + held
    switch event.payload {
    case .message(let message):
      let mayWait = !message.isRelease && message.status < 0xF8
      guard count < SessionOutbox.room(mayWait) else { return false }
      letters.append(.message(message, at: event.time))
    case .sysEx(let place):
      guard take(payloads.extracting(place), nil, at: event.time) else { return false }
    case .sysExPart(let place, let part):
      guard take(payloads.extracting(place), part, at: event.time) else { return false }
    case .parameter, .fact: return true
    }
    last = max(last, event.time)
    return true
  }

  private mutating func take(
    _ octets: Span<UInt8>, _ part: SysExPart?, at time: HostTime
  ) -> Bool {
    let count = letters.count + held
    let isLong = octets.count > SessionNode.longestSysExAtOnce
    // The caller keeps long messages beyond 1 MiB.
    guard count < SessionOutbox.room(true),
      !isLong || longTotal == 0 || longTotal + octets.count <= SessionNode.longSysExRoom
    else { return false }
    letters.append(.sysEx(octets.indices.map { octets[$0] }, part, at: time))
    if isLong { longOctets += octets.count + 2 }
    return true
  }
}

extension SessionOutbox {
  fileprivate static func room(_ mayWait: Bool) -> Int { capacity - (mayWait ? reserve : 0) }
}
