// SPDX-License-Identifier: Apache-2.0
internal import JSONText
package import MusicalTime
package import NetworkSockets
package import OpenSoundControl

/// The received messages of Open Sound Control, the waiting commands and the answers, as a value
/// without a socket.
///
/// Each message of a bundle has the time of the bundle. Commands that start, stop or move the
/// playback are passed on ahead of this time, and take effect at it. Memory and work are limited
/// for any input.
package struct OSCInbox {
  /// The longest datagram in bytes.
  package static let longest = 8192
  /// The maximum number of commands that may wait for their times.
  package static let mostWaiting = 1024
  /// The maximum number of messages accepted in a second, which is also the largest burst.
  package static let mostInSecond = 1000
  /// The maximum number of answers sent in a second.
  package static let mostAnswersInSecond = 200
  /// The furthest that a time may be ahead.
  static let farthest = Duration.seconds(86_400)

  private struct Entry {
    let action: ControlAction
    let address: String
    let sender: SocketAddress
    /// When it takes effect; nil for immediately.
    let time: HostTime?
  }

  /// The waiting commands, those due first at the front.
  private var entries: [Entry] = []
  private var messages = TokenBucket(perSecond: OSCInbox.mostInSecond)
  private var answers = TokenBucket(perSecond: OSCInbox.mostAnswersInSecond)
  private var returns = OSCReturnPaths()
  /// The packets to send, with their destinations.
  package private(set) var output: [(packet: OSCPacket, to: SocketAddress)] = []
  /// The messages for the user.
  package private(set) var reports: [String] = []

  /// The time of the next command: a time in the past if it is due now; nil if none waits.
  package var nextTime: HostTime? { entries.first.map { $0.time ?? .zero } }

  /// Receives a datagram.
  ///
  /// - Parameters:
  ///   - bytes: The datagram.
  ///   - sender: The address to answer.
  ///   - clock: The relation of time tags to the host clock.
  ///   - now: When the datagram arrived.
  package mutating func take(
    _ bytes: [UInt8], from sender: SocketAddress, _ clock: OSCClock, at now: HostTime
  ) {
    guard messages.take(at: now) else { return note(.tooFast, at: now) }
    returns.receive(bytes.count, from: sender)
    guard bytes.count <= Self.longest else {
      return answer(sender, "/", "datagram longer than \(Self.longest) bytes", at: now)
    }
    do {
      take(try OSCPacket(reading: bytes), from: sender, clock, after: nil, at: now)
    } catch {
      answer(sender, "/", "\(error)", at: now)
    }
  }

  private mutating func take(
    _ packet: OSCPacket, from sender: SocketAddress, _ clock: OSCClock, after outer: HostTime?,
    at now: HostTime
  ) {
    switch packet {
    case .message(let message): take(message, from: sender, due: outer, at: now)
    case .bundle(let bundle):
      let own = clock.hostTime(of: bundle.time, near: now)
      if let own, own < now, outer == nil, !bundle.elements.isEmpty {
        note(.late(nanoseconds: now.nanoseconds(since: own)), at: now)
      }
      // A bundle inside another is not due earlier than the outer one.
      let time = [own, outer].compactMap { $0 }.max()
      for (index, element) in bundle.elements.enumerated() {
        // Each message counts towards the limit.
        guard index == 0 || messages.take(at: now) else { return note(.tooFast, at: now) }
        take(element, from: sender, clock, after: time, at: now)
      }
    }
  }

  private mutating func take(
    _ message: OSCMessage, from sender: SocketAddress, due time: HostTime?, at now: HostTime
  ) {
    guard message.address.hasPrefix(OSCWords.root) else {
      // Receivers of beats and errors do not expect an answer, and two programs that answer each
      // other would never stop.
      return note(.foreign(message.address), at: now)
    }
    guard message.address != OSCWords.confirmation else {
      if case .int32(let number)? = message.arguments.first {
        returns.confirm(number, from: sender, at: now)
      }
      return
    }
    do throws(ControlError) {
      if let time, time > now + Self.farthest {
        throw ControlError(.usage, "the bundle's time is more than a day ahead")
      }
      for action in try OSCWords.actions(of: message) {
        guard entries.count < Self.mostWaiting else {
          throw ControlError(.refused, "too many commands are waiting (limit: \(Self.mostWaiting))")
        }
        insert(Entry(action: action, address: message.address, sender: sender, time: time))
      }
    } catch {
      answer(sender, message.address, error.description, at: now)
    }
  }

  /// Inserts a command; commands with the same time stay in the order of arrival.
  private mutating func insert(_ entry: Entry) {
    let key = entry.time?.nanoseconds ?? .min
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let isBefore = entries[middle].time?.nanoseconds ?? .min <= key
      if isBefore { low = middle + 1 } else { high = middle }
    }
    entries.insert(entry, at: low)
  }

  /// Performs commands that are due, or that must begin now; returns true if it performed any.
  package mutating func perform(_ target: some ControlTarget, at now: HostTime) -> Bool {
    var isDone = false
    var index = 0
    while index < entries.count, !target.hasEnded {
      let entry = entries[index]
      guard let time = entry.time, time > now else {
        entries.remove(at: index)
        perform(entry, target, at: nil, now)
        isDone = true
        continue
      }
      // Later commands need not begin yet.
      guard time <= now + Self.longestLead else { break }
      if case .perform(let command) = entry.action, let lead = target.leadTime(of: command),
        time <= now + lead
      {
        entries.remove(at: index)
        perform(entry, target, at: time, now)
        isDone = true
      } else {
        index += 1
      }
    }
    return isDone
  }

  /// The longest time that any command must begin ahead.
  static let longestLead = Duration.seconds(2)

  private mutating func perform(
    _ entry: Entry, _ target: some ControlTarget, at time: HostTime?, _ now: HostTime
  ) {
    do {
      switch entry.action {
      case .perform(let command): try target.execute(command, at: time)
      case .get(let property): tell([property], target.status, entry.sender, now)
      case .status:
        // Lists must be requested separately.
        let told = ControlProperty.allCases.filter { $0 != .playlist && $0 != .markers }
        tell(told, target.status, entry.sender, now)
      case .observe, .unobserve: break
      }
    } catch {
      answer(entry.sender, entry.address, "\(error)", at: now)
    }
  }

  private mutating func tell(
    _ properties: [ControlProperty], _ status: PlayStatus, _ sender: SocketAddress, _ now: HostTime
  ) {
    guard answers.take(at: now) else { return }
    let messages = properties.map { OSCMessage(telling: $0, $0.value(of: status)) }
    send(
      messages.count == 1
        ? .message(messages[0]) : .bundle(OSCBundle(messages.map(OSCPacket.message))), sender, now)
  }

  /// Sends an answer, or a number to repeat if the address has not yet confirmed that it receives.
  private mutating func send(_ packet: OSCPacket, _ sender: SocketAddress, _ now: HostTime) {
    let size: Int
    do { size = try packet.bytes().count } catch { return }
    switch returns.verdict(size, challengeByteCount: 20, to: sender, at: now) {
    case .answer: output.append((packet, sender))
    case .challenge(let number):
      output.append((.message(OSCMessage("/confirm", [.int32(number)])), sender))
    case .nothing: break
    }
  }

  private mutating func answer(
    _ sender: SocketAddress, _ address: String, _ sentence: String, at now: HostTime
  ) {
    guard answers.take(at: now) else { return }
    let texts = [address, sentence].map { OSCValue.string($0.filter { $0 != "\0" }) }
    send(.message(OSCMessage("/error", texts)), sender, now)
  }

  /// Returns the packets to send, and removes them.
  package mutating func takeOutput() -> [(packet: OSCPacket, to: SocketAddress)] {
    defer { output = [] }
    return output
  }

  // A message for the user; each kind is reported at most once per second.

  private enum Note {
    case late(nanoseconds: Int64)
    case tooFast
    case foreign(String)
  }

  private var lastNotes: [Int: HostTime] = [:]
  private var missed = 0

  private mutating func note(_ note: Note, at now: HostTime) {
    let kind: Int
    switch note {
    case .late: kind = 0
    case .tooFast: (kind, missed) = (1, missed + 1)
    case .foreign: kind = 2
    }
    if let last = lastNotes[kind], now < last + .seconds(1) { return }
    lastNotes[kind] = now
    switch note {
    case .late(let nanoseconds):
      let milliseconds = (Double(nanoseconds) / 1e6).decimal(1)
      reports.append("OSC: a bundle arrived \(milliseconds) ms late and was executed at once")
    case .tooFast:
      reports.append("OSC: messages arrive too fast; \(missed) dropped so far")
    case .foreign(let address):
      reports.append("OSC: \(address): unknown address (addresses begin with \(OSCWords.root))")
    }
  }

  /// Returns the messages for the user, and removes them.
  package mutating func takeReports() -> [String] {
    defer { reports = [] }
    return reports
  }
}

/// Limits how often an action is done per second; after a pause, a burst of that size is allowed.
package struct TokenBucket {
  private let perSecond: Int64
  private var tokens: Int64
  private var last: HostTime?

  package init(perSecond: Int) {
    self.perSecond = Int64(perSecond)
    tokens = self.perSecond * 1_000_000_000
  }

  /// Returns true if the action may be done once more.
  package mutating func take(at now: HostTime) -> Bool {
    let full = perSecond * 1_000_000_000
    if let last, now > last {
      let passed = min(now.nanoseconds(since: last), 1_000_000_000)
      tokens = min(full, tokens + passed * perSecond)
    }
    last = now
    guard tokens >= 1_000_000_000 else { return false }
    tokens -= 1_000_000_000
    return true
  }
}
