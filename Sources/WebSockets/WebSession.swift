// SPDX-License-Identifier: Apache-2.0

/// One connection to a server as a value: it takes bytes and times, and returns bytes and messages.
///
/// Memory and time are limited whatever the client does: heads and messages have a maximum length,
/// a head must arrive in time, and a silent client is pinged and then disconnected.
package struct WebSession: Sendable {
  /// The longest time until a request is complete, in nanoseconds: 5 s.
  package static let patience: Int64 = 5_000_000_000
  /// The silence after which a client is pinged, in nanoseconds: 20 s.
  ///
  /// After twice this time it is disconnected.
  package static let silence: Int64 = 20_000_000_000
  /// The number of unsent bytes above which nothing more is received.
  package static let mostWaiting = 65_536
  /// The messages that are accepted per second, and at once after a pause.
  private static let mostInSecond: Int64 = 50

  private enum Phase {
    case request, socket
    /// The remaining output is sent, and nothing more is received.
    case over
  }

  private let site: WebSite
  private var phase = Phase.request
  private var input: [UInt8] = []
  /// The parts of an incomplete message.
  private var parts: [UInt8]?
  private let start: Int64
  private var lastHeard: Int64
  private var hasAsked = false
  private var leaveLimit: Int64?
  private var credit = WebSession.mostInSecond * 1_000_000_000
  /// The bytes to send.
  package private(set) var output: [UInt8] = []

  /// Creates the session of a new connection.
  ///
  /// - Parameters:
  ///   - site: The site.
  ///   - now: The time of any monotonic clock, in nanoseconds.
  package init(_ site: WebSite, at now: Int64) {
    self.site = site
    (start, lastHeard) = (now, now)
  }

  /// True while the web socket is open.
  package var isSocket: Bool { phase == .socket }

  /// True if the connection is closed once the remaining output is sent.
  package var isOver: Bool { phase == .over }

  /// True if more bytes can be received.
  package var takesInput: Bool { phase != .over && output.count < Self.mostWaiting }

  /// Processes received bytes, and returns the messages that are complete.
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

  /// Counts a frame toward the limit of messages per second.
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

  /// Closes the web socket with a status.
  ///
  /// An incomplete request is not answered.
  package mutating func end() {
    if phase == .socket { close(.goingAway) }
    phase = .over
  }

  private mutating func close(_ fault: WebFrame.Fault) {
    let code = fault.rawValue
    output += WebFrame.bytes(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])
    (phase, input, parts) = (.over, [], nil)
  }

  /// Checks the time limits, and disconnects a client that is too slow.
  package mutating func advance(to now: Int64) {
    switch phase {
    case .request where now - start > Self.patience: refuse(.requestTimeout)
    case .socket where now - lastHeard > 2 * Self.silence: close(.goingAway)
    case .socket where now - lastHeard > Self.silence && !hasAsked:
      hasAsked = true
      output += WebFrame.bytes(.ping, [])
    case .over:
      // A client that does not close in time is disconnected.
      let limit = leaveLimit ?? now + Self.patience
      leaveLimit = limit
      if now > limit { output = [] }
    default: break
    }
  }

  /// Sends a message.
  ///
  /// - Parameters:
  ///   - text: The message.
  ///   - isPassing: True if the message can be skipped while earlier output is unsent, because a
  ///     later one replaces it; false by default.
  package mutating func say(_ text: String, isPassing: Bool = false) {
    guard phase == .socket, output.isEmpty || !isPassing, output.count < Self.mostWaiting else {
      return
    }
    output += WebFrame.bytes(.text, text.utf8)
  }

  /// Removes bytes that were sent from the output.
  package mutating func sent(_ count: Int) {
    output.removeFirst(count)
  }
}
