// SPDX-License-Identifier: Apache-2.0

/// Determines the next request, and the meaning of its reply, without a connection.
///
/// A range is requested from the first request on, because only the reply shows reliably if the
/// server supports ranges.
///
/// Source: RFC 9110, 13.1.5 and 14.
struct ResumePlan: Sendable {
  /// The meaning of a reply.
  enum Judgement: Hashable, Sendable {
    /// The body is sound, of which this number of bytes is known already.
    ///
    /// If `isContinuous` is false, bytes are missing before it.
    case take(skipping: Int64, isContinuous: Bool)
    /// The sound has ended.
    case end
    /// The body is not sound.
    case fail(HTTPError)
  }

  /// The address in messages.
  let shown: String
  /// The position of the next byte of sound.
  private(set) var offset: Int64 = 0
  /// The server's first reply; nil before it arrives.
  private(set) var reply: HTTPReply?
  /// True if any byte was received.
  private var hasBegun = false

  /// True if content that is not sound is accepted.
  private let takesAnything: Bool
  /// The end of the requested part; nil for the end of the sound.
  private let end: Int64?

  init(shown: String, takesAnything: Bool = false, part: Range<Int64>? = nil) {
    (self.shown, self.takesAnything) = (shown, takesAnything)
    (offset, end) = (part?.lowerBound ?? 0, part?.upperBound)
  }

  /// True if all bytes of a part were received.
  var isAtEnd: Bool { end.map { offset >= $0 } ?? false }

  /// The number of received bytes that are needed.
  func wantedCount(of count: Int) -> Int {
    end.map { Int(min(Int64(count), max(0, $0 - offset))) } ?? count
  }

  /// The header fields of the next request.
  var fields: [String] {
    guard reply?.isLive != true else { return [] }
    let range = "Range: bytes=\(offset)-" + (end.map { "\($0 - 1)" } ?? "")
    guard offset > 0, let version = reply?.version else { return [range] }
    return [range, "If-Range: \(version)"]
  }

  /// Notes received bytes.
  mutating func advance(by count: Int) {
    offset += Int64(count)
    hasBegun = true
  }

  /// Moves to another position.
  mutating func move(to offset: Int64) { self.offset = offset }

  /// Determines the meaning of a reply to the request with `fields`.
  mutating func judge(_ head: ReplyHead) -> Judgement {
    switch head.status {
    case 206:
      guard head.part?.start == offset else { return .fail(.givesNoParts(shown)) }
      return take(HTTPReply(head, at: offset), skipping: 0)
    case 200: return take(HTTPReply(head, at: 0), skipping: offset)
    case 416 where offset > 0 && offset == reply?.byteCount: return .end
    default: return .fail(.refused(shown, status: head.status))
    }
  }

  private mutating func take(_ new: HTTPReply, skipping: Int64) -> Judgement {
    if !takesAnything, let kind = ContentSniff.foreignKind(type: new.contentType) {
      return .fail(.notSound(shown, kind: kind))
    }
    guard let known = reply, hasBegun else {
      reply = new
      return .take(skipping: skipping, isContinuous: true)
    }
    if known.isLive { return .take(skipping: 0, isContinuous: false) }
    if known.differs(from: new) { return .fail(.changed(shown)) }
    guard skipping == 0 || known.byteCount != nil || known.version == new.version else {
      return .fail(.givesNoParts(shown))
    }
    return .take(skipping: skipping, isContinuous: true)
  }

  /// The error if the connection closes now; nil if the sound is complete.
  var failureAtEnd: HTTPError? {
    guard let reply, !isAtEnd else { return nil }
    if let end {
      return .endsEarly(shown, received: offset, promised: end)
    }
    if let count = reply.byteCount, offset < count {
      return .endsEarly(shown, received: offset, promised: count)
    }
    return reply.isStation ? .unreachable(shown, reason: "the connection was closed") : nil
  }
}
