// SPDX-License-Identifier: Apache-2.0

/// What is asked of the server next, and what its reply means: a value, without a connection.
///
/// Parts are asked for from the first request on, since only the reply to that tells surely whether
/// a server has them.
///
/// Source: RFC 9110, 13.1.5 and 14.
struct ResumePlan: Sendable {
  /// What a reply means.
  enum Judgement: Hashable, Sendable {
    /// The body is sound; so many bytes of it are known already. Without continuity, bytes are
    /// missing before it.
    case take(skipping: Int64, isContinuous: Bool)
    /// There is nothing more.
    case end
    /// There is no sound.
    case fail(HTTPError)
  }

  /// What messages name the address by.
  let shown: String
  /// The next byte of sound.
  private(set) var offset: Int64 = 0
  /// What the server has said; nil before it has.
  private(set) var reply: HTTPReply?
  /// Whether any byte was taken.
  private var hasBegun = false

  /// Whether what is no sound is taken as well.
  private let takesAnything: Bool
  /// The byte after the last that is wanted; nil for the end of the sound.
  private let end: Int64?

  init(shown: String, takesAnything: Bool = false, part: Range<Int64>? = nil) {
    (self.shown, self.takesAnything) = (shown, takesAnything)
    (offset, end) = (part?.lowerBound ?? 0, part?.upperBound)
  }

  /// True if all bytes of a part were received.
  var isAtEnd: Bool { end.map { offset >= $0 } ?? false }

  /// The number of bytes that are wanted of those that were received.
  func wantedCount(of count: Int) -> Int {
    end.map { Int(min(Int64(count), max(0, $0 - offset))) } ?? count
  }

  /// The fields of the next request.
  var fields: [String] {
    guard reply?.isLive != true else { return [] }
    let range = "Range: bytes=\(offset)-" + (end.map { "\($0 - 1)" } ?? "")
    guard offset > 0, let version = reply?.version else { return [range] }
    return [range, "If-Range: \(version)"]
  }

  /// Notes bytes that were taken.
  mutating func advance(by count: Int) {
    offset += Int64(count)
    hasBegun = true
  }

  /// Goes to another place.
  mutating func move(to offset: Int64) { self.offset = offset }

  /// Judges a reply to the request that was made with `fields`.
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

  /// What it means that a reply is complete, as far as the connection tells; nil where that is the
  /// end of the sound.
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
