// SPDX-License-Identifier: Apache-2.0
public import AudioFiles
internal import Realtime

/// Sound from an address of HTTP: a file or a radio station, as its bytes come.
///
/// A thread of its own receives, as far ahead as there is room; where what it has is not taken, the
/// server is made to wait, so that memory is bounded whatever is sent. A connection that is lost is
/// made again: a file goes on with the very next byte, where need be by reading the beginning
/// again; a broadcast goes on with a gap, which is told. What comes is an asynchronous sequence of
/// ``Event``s.
///
/// - Note: one task at a time takes events; everything else may be asked for from any thread. The
///   transfer ends with the source, with `cancel()`, and with the task that waits for an event.
public final class HTTPSource: AsyncSequence, Sendable {
  /// What happens to a stream, in its order.
  public enum Event: Hashable, Sendable {
    /// The server has replied for the first time; before all bytes.
    case opened(HTTPReply)
    /// Bytes of sound, at least one, and where they begin: of a station counted from where it was
    /// joined.
    case bytes([UInt8], at: Int64)
    /// A station's title for what follows.
    case title(StreamTitle)
    /// The connection is lost; in a while it is made anew.
    case interrupted(HTTPError, pause: Duration)
    /// The connection is there again; without continuity, sound is missing before what follows.
    case resumed(isContinuous: Bool)
    /// Every byte is there, and the file that takes them has its name.
    case copied(path: String)
    /// The file that was to take the bytes is given up; the sound goes on.
    case notCopied(HTTPError)
  }

  /// The address without a user, a password and what is asked behind a `?`.
  public let address: String
  private let queue: EventQueue
  private let transfers: CurlTransfers

  /// Begins to fetch.
  ///
  /// - Parameters:
  ///   - address: `http://` or `https://`; a user and a password may stand before the host, as in
  ///     `http://user:password@host/`. They are sent to that host alone and appear in no message.
  ///   - settings: how it is fetched.
  /// - Throws: `HTTPError.badAddress`, `.libraryMissing` or `.cannotStart`, and `.cannotKeep` where
  ///   there can be no file for what is received. What the server does is told by the sequence.
  public init(_ address: String, settings: HTTPSettings = HTTPSettings()) throws(HTTPError) {
    guard let place = HTTPAddress(address) else {
      throw .badAddress(HTTPAddress.shown(address))
    }
    let queue = EventQueue(room: settings.roomByteCount, address: address)
    let transfers = try CurlTransfers()
    let copy = try settings.copy.map { wish throws(HTTPError) in try CopyDuty(wish) }
    (self.address, self.queue, self.transfers) = (place.shown, queue, transfers)
    do {
      // Nobody joins it: to look a host's name up may keep it for longer than anybody waits.
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

  /// The version of libcurl that is installed, such as `7.88.1`; nil where there is none.
  ///
  /// - Note: Not real-time safe: the library is opened.
  public static var libraryVersion: String? { CurlTransfers.version }

  /// Finds out whether a source can be made of an address; nothing is sent.
  ///
  /// - Parameter address: as for a source.
  /// - Returns: what messages call it: without a user, a password and what is asked behind a `?`.
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

  /// What the server has said; nil before it has.
  public var reply: HTTPReply? { queue.reply }

  /// Takes the next event, and waits for one.
  ///
  /// - Returns: nil at the end, after `cancel()`, and where the task is cancelled, which cancels
  ///   the transfer as well.
  /// - Throws: what ended the stream before its end.
  /// - Precondition: no other task waits.
  public func next() async throws(HTTPError) -> Event? {
    let event = await withTaskCancellationHandler {
      await queue.next()
    } onCancel: {
      cancel()
    }
    if queue.isToWake { transfers.wake() }
    return try event.get()
  }

  /// Goes on with another byte, also after the end.
  ///
  /// What was received and not taken is dropped; the next bytes that are taken are those from there.
  ///
  /// - Parameter offset: the byte, from 0 to the end of the sound.
  /// - Throws: `HTTPError.givesNoParts` where the server gives none, or has not replied yet.
  /// - Precondition: not negative.
  public func seek(to offset: Int64) throws(HTTPError) {
    precondition(offset >= 0, "the offset must not be negative")
    guard let reply, reply.givesParts, offset <= reply.byteCount ?? ReplyHead.byteLimit else {
      throw .givesNoParts(address)
    }
    queue.seek(to: offset)
    transfers.wake()
  }

  /// Ends the transfer now; what was not taken is dropped, and a file that is not whole goes away.
  public func cancel() {
    queue.cancel()
    transfers.wake()
  }

  /// Takes events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let source: HTTPSource

    /// Takes the next event, as the source's own `next()` does.
    public mutating func next() async throws(HTTPError) -> Event? { try await source.next() }

    /// Takes the next event, as the source's own `next()` does.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(HTTPError) -> Event? {
      try await source.next()
    }
  }

  /// Begins to take events.
  public func makeAsyncIterator() -> Iterator { Iterator(source: self) }
}

extension HTTPSource.Event {
  /// What it takes of the room.
  var cost: Int {
    switch self {
    case .bytes(let bytes, _): bytes.count + 64
    case .title(let title): title.title.utf8.count + (title.address?.utf8.count ?? 0) + 64
    default: 64
    }
  }

  /// Whether it matters though another place is gone to.
  var outlivesSeek: Bool {
    switch self {
    case .opened, .copied, .notCopied: true
    case .bytes, .title, .interrupted, .resumed: false
    }
  }
}

extension SoundStream {
  /// Takes what a source tells: bytes where they belong, how many there are, and gaps.
  ///
  /// - Parameter event: any event; titles and the like change nothing.
  public mutating func append(_ event: HTTPSource.Event) {
    switch event {
    case .opened(let reply): byteCount = reply.byteCount
    case .bytes(let bytes, let offset): append(bytes, at: offset)
    case .resumed(isContinuous: false): noteDiscontinuity()
    default: break
    }
  }
}
