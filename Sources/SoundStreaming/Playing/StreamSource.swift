// SPDX-License-Identifier: Apache-2.0

/// A source of bytes that are played while they arrive: a web address, a pipe, or the segments of a
/// stream.
///
/// - Note: Use from one task.
protocol StreamSource: AnyObject {
  /// The name in messages.
  var name: String { get }
  /// The current properties.
  var traits: StreamTraits { get }
  /// Waits for the next event; nil at the end.
  func next() async throws -> StreamEvent?
  /// Continues at another position.
  func seek(to offset: Int64) throws
  /// Ends the transfer.
  func cancel()
}

/// An event of a stream, in order.
enum StreamEvent {
  /// An event of a transfer.
  case transfer(HTTPSource.Event)
  /// A new encoding starts with the next bytes.
  case fresh
  /// A part is missing on the server, and is replaced by this duration of silence.
  case silence(seconds: Double)
}

/// The properties of a stream that its source knows.
struct StreamTraits: Hashable {
  /// True if missed sound cannot be received again.
  var isLive = true
  /// True if the sound arrives at the speed at which it is played, without storage at the sender.
  var isRealTime = false
  /// True if the source supports seeks.
  var givesParts = false
  /// The size in bytes; nil if it is unknown.
  var byteCount: Int64?
  /// True if all bytes can be received before they are played.
  var isFinite = false
  /// The bitrate in bits per second; nil if it is not stated.
  var nominalBitrate: Int?
  /// True if the source itself starts near the requested position.
  var startsItself = false
  /// The duration of its first sound before that position, in seconds.
  var leadSeconds = 0.0
  /// The duration in seconds, if the source knows it.
  var seconds: Double?
}

extension HTTPSource: StreamSource {
  var name: String { address }

  var traits: StreamTraits {
    guard let reply else { return StreamTraits() }
    return StreamTraits(
      isLive: reply.isLive, isRealTime: reply.isLive, givesParts: reply.givesParts,
      byteCount: reply.byteCount, isFinite: !reply.isLive && reply.byteCount != nil,
      nominalBitrate: reply.nominalBitrate)
  }

  func next() async throws -> StreamEvent? {
    let event: Event? = try await next()
    return event.map { .transfer($0) }
  }
}
