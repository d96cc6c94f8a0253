// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
internal import Realtime

/// Receives sound from an HTTP address, which is a file or a radio station, as an asynchronous
/// sequence of ``Event``s.
///
/// A separate thread receives sound in advance, up to `HTTPSettings.roomByteCount`. If events are
/// not read, the server must wait, so that the use of memory is limited. A lost connection is
/// re-established: a file continues with the next byte (if necessary, its beginning is received
/// again), and a broadcast continues after a gap, which is reported.
///
/// - Note: Read events from one task at a time; all other methods are safe to use from any thread.
///   The transfer ends when the source is released, on `cancel()`, and when the task that waits for
///   an event is cancelled.
public final class HTTPSource: AsyncSequence, Sendable {
  /// An event of a transfer; events are delivered in the order in which they occur.
  public enum Event: Hashable, Sendable {
    /// The server has replied; this event precedes all bytes.
    case opened(HTTPReply)
    /// Bytes of sound have arrived: at least one byte, and the position of the first byte.
    ///
    /// For a station, the position is relative to the first received byte.
    case bytes([UInt8], at: Int64)
    /// A station has sent a title, which belongs to the sound that follows.
    case title(StreamTitle)
    /// The connection was lost; after the pause, the source tries to reconnect.
    case interrupted(HTTPError, pause: Duration)
    /// The connection is re-established.
    ///
    /// If `isContinuous` is false, sound is missing at this point.
    case resumed(isContinuous: Bool)
    /// All bytes were received, and the copy has its final name.
    case copied(path: String)
    /// The copy was abandoned; the transfer continues.
    case notCopied(HTTPError)
  }

  /// The address for messages, without user, password and query.
  public let address: String
  private let queue: EventQueue
  private let transfers: CurlTransfers

  /// Starts a transfer.
  ///
  /// - Parameters:
  ///   - address: An address that starts with `http://` or `https://`. User and password can
  ///     precede the host, as in `http://user:password@host/`; they are sent only to this host, and
  ///     are not contained in messages.
  ///   - settings: The settings of the transfer.
  /// - Throws: `HTTPError.badAddress`, `.libraryMissing`, `.cannotStart`, or `.cannotKeep` if the
  ///   file for a copy cannot be created. Errors that occur later in the transfer are thrown by the
  ///   sequence.
  public init(_ address: String, settings: HTTPSettings = HTTPSettings()) throws(HTTPError) {
    guard let place = HTTPAddress(address) else {
      throw .badAddress(HTTPAddress.shown(address))
    }
    let queue = EventQueue(room: settings.roomByteCount, address: address)
    let transfers = try CurlTransfers()
    let copy = try settings.copy.map { wish throws(HTTPError) in try CopyDuty(wish) }
    (self.address, self.queue, self.transfers) = (place.shown, queue, transfers)
    do {
      // The thread is not joined, because a DNS lookup can block it for a long time.
      _ = try RealtimeThread(name: "downbeat http", priority: nil) {
        TransferRun(
          place, settings: settings, queue: queue, transfers: transfers, copy: copy
        ).run()
      }
    } catch .cannotStartThread(_, let code) {
      throw .cannotStart(code: code)
    } catch {
      throw .cannotStart(code: 0)
    }
  }

  deinit { cancel() }

  /// The version of the installed libcurl, such as `7.88.1`; nil if it is not installed.
  ///
  /// - Note: Not real-time safe: it loads the library.
  public static var libraryVersion: String? { CurlTransfers.version }

  /// Checks that an address is valid, without sending anything.
  ///
  /// - Parameter address: The address, in the form that `init` accepts.
  /// - Returns: The address for messages, without user, password and query.
  /// - Throws: `HTTPError.badAddress`.
  @discardableResult
  public static func check(_ address: String) throws(HTTPError) -> String {
    guard let place = HTTPAddress(address) else {
      throw .badAddress(HTTPAddress.shown(address))
    }
    return place.shown
  }

  /// The address with all redirects so far, which may contain a password.
  var finalAddress: String { queue.address }

  /// The server's first reply; nil before it arrives.
  public var reply: HTTPReply? { queue.reply }

  /// Waits for the next event.
  ///
  /// - Returns: The event; nil at the end, after `cancel()`, or if the task is cancelled.
  ///   Cancelling the task also cancels the transfer.
  /// - Throws: The error that ended the transfer.
  /// - Precondition: No other task is waiting.
  public func next() async throws(HTTPError) -> Event? {
    let event = await withTaskCancellationHandler {
      await queue.next()
    } onCancel: {
      cancel()
    }
    if queue.isToWake { transfers.wake() }
    return try event.get()
  }

  /// Continues the transfer at another position, even after the end of the sound was received.
  ///
  /// Events that were received but not read are dropped. The next bytes are those at the new
  /// position.
  ///
  /// - Parameter offset: The position in bytes, from 0 to the size of the sound.
  /// - Throws: `HTTPError.givesNoParts` if the server does not support range requests, if it has
  ///   not replied yet, or if the position is after the end.
  /// - Precondition: `offset` is not negative.
  public func seek(to offset: Int64) throws(HTTPError) {
    precondition(offset >= 0, "the offset must not be negative")
    guard let reply, reply.givesParts, offset <= reply.byteCount ?? ReplyHead.byteLimit else {
      throw .givesNoParts(address)
    }
    queue.seek(to: offset)
    transfers.wake()
  }

  /// Ends the transfer, drops unread events, and removes an incomplete copy.
  public func cancel() {
    queue.cancel()
    transfers.wake()
  }

  /// An iterator over the events of a source.
  public struct Iterator: AsyncIteratorProtocol {
    let source: HTTPSource

    /// Waits for the next event, like `HTTPSource.next()`.
    public mutating func next() async throws(HTTPError) -> Event? { try await source.next() }

    /// Waits for the next event, like `HTTPSource.next()`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPError) -> Event? {
      try await source.next()
    }
  }

  /// Creates an iterator over the events.
  public func makeAsyncIterator() -> Iterator { Iterator(source: self) }
}

extension HTTPSource.Event {
  /// The number of bytes that the event occupies in the queue.
  var cost: Int {
    switch self {
    case .bytes(let bytes, _): bytes.count + 64
    case .title(let title): title.title.utf8.count + (title.address?.utf8.count ?? 0) + 64
    default: 64
    }
  }

  /// True if the event is kept when a seek drops others.
  var outlivesSeek: Bool {
    switch self {
    case .opened, .copied, .notCopied: true
    case .bytes, .title, .interrupted, .resumed: false
    }
  }
}

extension SoundStream {
  /// Appends the bytes of an event to the stream, or notes the size of the sound or a gap.
  ///
  /// - Parameter event: The event of an HTTP source; titles and other events are ignored.
  public mutating func append(_ event: HTTPSource.Event) {
    switch event {
    case .opened(let reply): byteCount = reply.byteCount
    case .bytes(let bytes, let offset): append(bytes, at: offset)
    case .resumed(isContinuous: false): noteDiscontinuity()
    default: break
    }
  }
}
