// SPDX-License-Identifier: Apache-2.0

/// One connection to a server, as a value: bytes and the time in, bytes and messages out.
///
/// Whatever the other end does, it takes bounded memory and time: a head and a message have a
/// longest, a head must come in time, and a socket that says nothing is asked, and let go.
package struct WebSession: Sendable {
  /// How long a request may take to come, in nanoseconds.
  package static let patience: Int64 = 5_000_000_000
  /// After how long a silence a client is asked whether it is there, and after twice that let go.
  package static let silence: Int64 = 20_000_000_000
  /// The bytes that may wait to be sent before no more is taken.
  package static let mostWaiting = 65_536
  /// The messages that are taken in a second, and after a rest at once.
  private static let mostInSecond: Int64 = 50

  private enum Phase {
    case request, socket
    /// What waits is sent, and no more is taken.
    case over
  }

  private let site: WebSite
  private var phase = Phase.request
  private var input: [UInt8] = []
  /// The parts of a message that is not whole yet.
  private var parts: [UInt8]?
  private let start: Int64
  private var lastHeard: Int64
  private var hasAsked = false
  private var leaveLimit: Int64?
  private var credit = WebSession.mostInSecond * 1_000_000_000
  /// What is to be sent.
  package private(set) var output: [UInt8] = []

  /// Begins.
  ///
  /// - Parameters:
  ///   - site: What is shown.
  ///   - now: The time in nanoseconds, of any clock that only goes on.
  package init(_ site: WebSite, at now: Int64) {
    self.site = site
    (start, lastHeard) = (now, now)
  }

  /// Whether it is a web socket that is open.
  package var isSocket: Bool { phase == .socket }

  /// Whether it is let go once what waits is sent.
  package var isOver: Bool { phase == .over }

  /// Whether more is taken from it.
  package var takesInput: Bool { phase != .over && output.count < Self.mostWaiting }

  /// Takes what was received; returns the messages that are whole by then.
  package mutating func take(_ bytes: some Sequence<UInt8>, at now: Int64) -> [String] {
    guard phase != .over else { return [] }
    input.append(contentsOf: bytes)
    if phase == .request { takeRequest(at: now) }
    var messages: [String] = []
    do throws(WebFrame.Fault) {
      while phase == .socket, let frame = try WebFrame.take(from: &input) {
        try refill(at: now)
        if let message = try take(frame) { messages.append(message) }
      }
    } catch {
      close(error)
    }
    return messages
  }

  private mutating func takeRequest(at now: Int64) {
    let end: [UInt8] = [13, 10, 13, 10]
    guard let range = input.firstRange(of: end) else {
      if input.count > HTTPRequest.longest { refuse(.fieldsTooLarge) }
      return
    }
    do throws(HTTPStatus) {
      guard range.lowerBound <= HTTPRequest.longest else { throw .fieldsTooLarge }
      let (bytes, isSocket) = site.answer(try HTTPRequest(input[..<range.lowerBound]))
      output += bytes
      phase = isSocket ? .socket : .over
    } catch {
      return refuse(error)
    }
    input.removeFirst(range.upperBound)
    lastHeard = now
  }

  private mutating func refuse(_ status: HTTPStatus) {
    output += status.answer()
    (phase, input) = (.over, [])
  }

  /// Counts a frame against what may come in a second.
  private mutating func refill(at now: Int64) throws(WebFrame.Fault) {
    let passed = min(max(0, now - lastHeard), 1_000_000_000)
    credit = min(Self.mostInSecond * 1_000_000_000, credit + passed * Self.mostInSecond)
    (lastHeard, hasAsked) = (max(now, lastHeard), false)
    guard credit >= 1_000_000_000 else { throw .policy }
    credit -= 1_000_000_000
  }

  private mutating func take(_ frame: WebFrame) throws(WebFrame.Fault) -> String? {
    switch frame.kind {
    case .ping: output += WebFrame.bytes(.pong, frame.payload)
    case .pong: break
    case .close: try answerClose(frame.payload)
    case .binary: throw .unsupported
    case .text, .continuation:
      guard (frame.kind == .continuation) == (parts != nil) else { throw .protocolError }
      let whole = (parts ?? []) + frame.payload
      guard whole.count <= WebFrame.longest else { throw .tooLarge }
      parts = frame.isLast ? nil : whole
      guard frame.isLast else { return nil }
      guard let text = String(validating: whole, as: UTF8.self) else { throw .badText }
      return text
    }
    return nil
  }

  private mutating func answerClose(_ payload: [UInt8]) throws(WebFrame.Fault) {
    if payload.count >= 2 {
      let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
      let isKnown = (1000...1011).contains(code) && ![1004, 1005, 1006].contains(code)
      guard isKnown || (3000...4999).contains(code) else { throw .protocolError }
      guard String(validating: payload[2...], as: UTF8.self) != nil else { throw .badText }
    } else if payload.count == 1 {
      throw .protocolError
    }
    output += WebFrame.bytes(.close, payload.prefix(2))
    (phase, input) = (.over, [])
  }

  /// Ends a socket and says why; a request that is not whole is left without an answer.
  package mutating func end() {
    if phase == .socket { close(.goingAway) }
    phase = .over
  }

  private mutating func close(_ fault: WebFrame.Fault) {
    let code = fault.rawValue
    output += WebFrame.bytes(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
    (phase, input, parts) = (.over, [], nil)
  }

  /// Lets time pass: who is too slow is let go.
  package mutating func advance(to now: Int64) {
    switch phase {
    case .request where now - start > Self.patience: refuse(.requestTimeout)
    case .socket where now - lastHeard > 2 * Self.silence: close(.goingAway)
    case .socket where now - lastHeard > Self.silence && !hasAsked:
      hasAsked = true
      output += WebFrame.bytes(.ping, [])
    case .over:
      // Who does not take its leave in time is let go without.
      let limit = leaveLimit ?? now + Self.patience
      leaveLimit = limit
      if now > limit { output = [] }
    default: break
    }
  }

  /// Sends a message; none where what was said before has not left yet and it may be left out.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - isPassing: Whether the next one says as much.
  package mutating func say(_ text: String, isPassing: Bool = false) {
    guard phase == .socket, output.isEmpty || !isPassing, output.count < Self.mostWaiting else {
      return
    }
    output += WebFrame.bytes(.text, text.utf8)
  }

  /// The first bytes of the output were sent.
  package mutating func sent(_ count: Int) {
    output.removeFirst(count)
  }
}
