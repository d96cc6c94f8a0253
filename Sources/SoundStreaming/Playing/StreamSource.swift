// SPDX-License-Identifier: Apache-2.0

/// A source of bytes that are played while they arrive: a web address, a pipe, the segments of a stream.
///
/// - Note: one task.
protocol StreamSource: AnyObject {
  /// The name in messages.
  var name: String { get }
  /// The present properties.
  var traits: StreamTraits { get }
  /// Waits for the next event; nil at the end.
  func next() async throws -> StreamEvent?
  /// Continues with another byte.
  func seek(to offset: Int64) throws
  /// Ends the transfer.
  func cancel()
}

/// An event of a stream, in order.
enum StreamEvent {
  /// An event of a transfer.
  case transfer(HTTPSource.Event)
  /// The bytes that follow begin a new encoding.
  case fresh
  /// A part is missing on the server: silence of this many seconds.
  case silence(seconds: Double)
}

/// Properties of a stream that its source knows.
struct StreamTraits: Hashable {
  /// True if what was missed cannot be fetched again.
  var isLive = true
  /// True if the sound arrives at the speed at which it is played, without a store at the sender.
  var isRealTime = false
  /// True if another byte can be requested.
  var givesParts = false
  /// The size in bytes; nil if it is unknown.
  var byteCount: Int64?
  /// True if all bytes can be fetched before they are played.
  var isFinite = false
  /// The bit rate in bits per second; nil if it is not stated.
  var nominalBitrate: Int?
  /// True if the source itself begins near the place that was asked for.
  var startsItself = false
  /// The seconds of its first sound that lie before that place.
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
