// SPDX-License-Identifier: Apache-2.0
package import JSONText

/// The input and output of one client, as a value without a socket.
///
/// Its memory is limited for any client: lines have a maximum length, requests wait until answers
/// have been read, and unread changes are merged.
package struct ControlSession {
  /// The longest line in bytes.
  package static let longestLine = 16_384
  /// The unsent bytes from which requests are not read any more.
  package static let mostWaiting = 65_536
  /// The unsent bytes from which a client that does not read events is disconnected.
  static let mostUnread = 1 << 20
  /// The maximum number of properties that a client may observe.
  package static let mostObserved = 64

  private struct Observation {
    let id: Int
    let property: ControlProperty
    var last: String
  }

  /// The bytes to send.
  package private(set) var output: [UInt8] = []
  private var input: [UInt8] = []
  /// The number of bytes of `input` without a line end.
  private var searched = 0
  private var observations: [Observation] = []
  /// True if the client is disconnected as soon as the output is sent.
  package private(set) var isOver = false

  /// True if more input may be read.
  package var takesInput: Bool { !isOver && output.count < Self.mostWaiting && !hasLine }

  /// True if all requests are answered, and all answers are sent.
  package var isServed: Bool { output.isEmpty && !input.contains(UInt8(ascii: "\n")) }

  private var hasLine: Bool { input.count > Self.longestLine }

  /// Adds bytes that were read.
  package mutating func take(_ bytes: some Sequence<UInt8>) {
    input.append(contentsOf: bytes)
  }

  /// Ends the input; requests that have arrived are still answered.
  package mutating func endInput() {
    isOver = true
  }

  /// Performs the waiting requests, until too many answers are unread; returns true if it performed
  /// any.
  package mutating func answer(_ target: some ControlTarget) -> Bool {
    var start = 0
    var isDone = false
    while output.count < Self.mostWaiting, !target.hasEnded,
      let end = input[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n"))
    {
      let line = input[start..<end]
      start = end + 1
      guard line.contains(where: { $0 > 0x20 }) else { continue }
      isDone = true
      answer(Array(line), target)
    }
    input.removeFirst(start)
    searched = output.count < Self.mostWaiting && !target.hasEnded ? input.count : 0
    if searched > Self.longestLine { refuseLine() }
    return isDone
  }

  private mutating func refuseLine() {
    reply(to: 0, error: "line longer than \(Self.longestLine) bytes")
    input = []
    searched = 0
    isOver = true
  }

  private mutating func answer(_ line: [UInt8], _ target: some ControlTarget) {
    guard line.count <= Self.longestLine else { return refuseLine() }
    do {
      let request = try ControlRequest(line)
      do {
        let data = try perform(request.action, target)
        let isSeek = if case .perform(.locate) = request.action { true } else { false }
        reply(to: request.id, data: data, message: isSeek ? target.message : "")
      } catch {
        reply(to: request.id, error: "\(error)")
      }
    } catch {
      reply(to: error.id, error: error.reason)
    }
  }

  /// Performs a request; returns the data of the answer, if it has any.
  private mutating func perform(
    _ action: ControlAction, _ target: some ControlTarget
  ) throws -> JSONValue? {
    switch action {
    case .perform(let command):
      try target.execute(command)
      return nil
    case .get(let property): return property.value(of: target.status)
    case .status:
      let status = target.status
      return .object(ControlProperty.allCases.map { ($0.rawValue, $0.value(of: status)) })
    case .observe(let id, let property):
      observations.removeAll { $0.id == id }
      guard observations.count < Self.mostObserved else {
        throw ControlError(
          .usage, "observe: too many observed properties (at most \(Self.mostObserved))")
      }
      observations.append(Observation(id: id, property: property, last: ""))
      return nil
    case .unobserve(let id):
      observations.removeAll { $0.id == id }
      return nil
    }
  }

  private mutating func reply(
    to id: Int, data: JSONValue? = nil, message: String = "", error: String = "success"
  ) {
    send(
      [
        ("v", 1), ("type", "reply"), ("request_id", .integer(id)), ("error", .text(error)),
      ] + (data.map { [("data", $0)] } ?? [])
        + (message.isEmpty ? [] : [("message", .text(message))]))
  }

  /// The line that refuses a client before its first request.
  package static func refusal(_ reason: String) -> [UInt8] {
    let members: [(name: String, value: JSONValue)] = [
      ("v", 1), ("type", "reply"), ("request_id", 0), ("error", .text(reason)),
    ]
    return Array("\(JSONValue.object(members))\n".utf8)
  }

  private mutating func send(_ members: [(name: String, value: JSONValue)]) {
    output.append(contentsOf: "\(JSONValue.object(members))\n".utf8)
  }

  /// Adds an event to the output; a client that has not read for too long is disconnected.
  package mutating func tell(_ event: String, _ members: [(name: String, value: JSONValue)] = []) {
    guard output.count < Self.mostUnread else {
      isOver = true
      (output, input, searched) = ([], [], 0)
      return
    }
    send([("v", 1), ("type", "event"), ("event", .text(event))] + members)
  }

  /// Reports changes of observed properties; changes are merged while too much output is unread.
  package mutating func tellChanges(_ status: PlayStatus) {
    for index in observations.indices where output.count < Self.mostWaiting {
      let (id, property) = (observations[index].id, observations[index].property)
      let value = property.value(of: status)
      let text = "\(value)"
      guard text != observations[index].last else { continue }
      observations[index].last = text
      tell(
        "property-change",
        [("id", .integer(id)), ("name", .text(property.rawValue)), ("data", value)])
    }
  }

  /// True if the client observes any property.
  var observes: Bool { !observations.isEmpty }

  /// Removes the first bytes of the output, which were sent.
  package mutating func sent(_ count: Int) {
    output.removeFirst(count)
  }
}
