// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Glibc
internal import Synchronization

/// Downloads the sound at a web address for a command that reads it like a file.
///
/// In lists the first address that works is used, and for an HLS stream the best version.
package struct AddressFetch: Sendable {
  /// The result of a survey.
  package enum Found: Sendable {
    /// The properties, which the first bytes contain.
    case survey(AddressSurvey)
    /// The whole file, because its format requires it.
    case file(FetchedSound)
  }

  private static let deepest = 4
  private static let addressLimit = 16
  /// The maximum number of bytes in which the properties are searched for.
  private static let headerLimit: Int64 = 64 << 20
  /// The number of packets from which the bitrate and the decoded format are determined.
  private static let surveyPackets = 64

  private let settings: StreamSettings

  /// Creates a fetch.
  ///
  /// - Parameter settings: The settings of all transfers, and the part to download.
  package init(_ settings: StreamSettings = StreamSettings()) { self.settings = settings }

  /// Determines the properties of the sound at an address.
  ///
  /// - Parameter address: The web address.
  /// - Returns: The properties, or the whole file.
  /// - Throws: `HTTPError` or `SoundFileError`.
  package func survey(_ address: String) async throws -> Found {
    let found = try await open(address, depth: 0) { source in try await survey(source) }
    if let found { return .survey(found) }
    return .file(try await open(address, depth: 0) { source in try await whole(source) })
  }

  /// Downloads a sound: a file completely, and a broadcast or HLS stream decoded, up to
  /// `StreamSettings.end`.
  ///
  /// - Parameter address: The web address.
  /// - Returns: The downloaded sound.
  /// - Throws: `HTTPError` or `SoundFileError`; `notPlayable` for a broadcast without an end.
  package func sound(_ address: String) async throws -> FetchedSound {
    try await open(address, depth: 0) { source in
      guard let first = try await source.next() else {
        throw HTTPError.notPlayable(source.name, reason: "it is empty")
      }
      let traits = source.traits
      if traits.isFinite { return try await whole(source, after: first) }
      guard settings.end != nil || !traits.isLive else {
        throw HTTPError.notPlayable(source.name, reason: "endless (limit it with --to 30s)")
      }
      return try await StreamRecording(source, settings).run(after: first)
    }
  }

  /// Runs an asynchronous function and blocks the current thread until it returns.
  ///
  /// - Parameters:
  ///   - isCancelled: Called every 5 ms; return true to cancel.
  ///   - body: The asynchronous function.
  /// - Returns: The result of `body`; nil if it was cancelled.
  /// - Throws: The errors of `body`.
  package static func wait<Value: Sendable>(
    unless isCancelled: () -> Bool, _ body: @escaping @Sendable () async throws -> Value
  ) throws -> Value? {
    let answer = Answer<Value>()
    let task = Task.detached {
      do {
        let value = try await body()
        answer.result.withLock { $0 = .success(value) }
      } catch {
        answer.result.withLock { $0 = .failure(error) }
      }
    }
    while true {
      if let result = answer.result.withLock({ $0 }) { return try result.get() }
      if isCancelled() {
        task.cancel()
        return nil
      }
      usleep(5000)
    }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }
}

// Sources.
extension AddressFetch {
  /// Opens an address, or the first one in a list that works.
  private func open<Value>(
    _ address: String, depth: Int, _ body: (any StreamSource) async throws -> Value
  ) async throws -> Value {
    var http = settings.http
    http.copy = nil
    do {
      let source = try HTTPSource(address, settings: http)
      defer { source.cancel() }
      return try await body(source)
    } catch HTTPError.notSound(let shown, .addressList) where depth < Self.deepest {
      let document = try await DocumentFetch(http).run(address, limit: HLSPlaylist.byteLimit + 1)
      guard !HLSPlaylist.isOne(document.bytes) else {
        let source = try await hls(document)
        defer { source.cancel() }
        return try await body(source)
      }
      let addresses = document.addresses(atMost: Self.addressLimit)
      guard let last = addresses.last else { throw HTTPError.notSound(shown, kind: .emptyList) }
      for address in addresses.dropLast() {
        do {
          return try await open(address, depth: depth + 1, body)
        } catch is HTTPError {
          // The next address is tried.
        }
      }
      return try await open(last, depth: depth + 1, body)
    }
  }

  private func hls(_ document: DocumentFetch.Document) async throws(HTTPError) -> HLSSource {
    var document = document
    if case .master(let master) = try document.playlist() {
      guard let best = master.soundAddresses.first else {
        throw .badPlaylist(document.name, reason: "it does not name sound")
      }
      document = try await DocumentFetch(settings.http)
        .run(best, limit: HLSPlaylist.byteLimit + 1)
    }
    return HLSSource(try document.media(), document, settings: settings.http, from: 0)
  }
}

// Bytes.
extension AddressFetch {
  /// Reads until the format is known and some packets were decoded.
  ///
  /// - Returns: Nil if the whole file is needed.
  private func survey(_ source: any StreamSource) async throws -> AddressSurvey? {
    var stream = SoundStream()
    var decoder: StreamDecoder?
    var tags: [SoundFileMetadata.Tag: String] = [:]
    var (reply, count, byteCount) = (nil as HTTPReply?, 0, Int64(0))
    while count < Self.surveyPackets, byteCount < Self.headerLimit,
      let event = try await source.next()
    {
      guard case .transfer(let event) = event else { continue }
      if case .opened(let new) = event { reply = new }
      if case .bytes(let bytes, _) = event { byteCount += Int64(bytes.count) }
      stream.append(event)
      for packet in stream.takePackets() {
        count += 1
        if let new = packet.newTags { tags.merge(new) { $1 } }
        if decoder == nil, let properties = stream.properties {
          decoder = try StreamDecoder(properties, name: source.name)
        }
        _ = try decoder?.decode(packet)
      }
      if stream.properties == nil, try await isLost(stream, source) { return nil }
    }
    return AddressSurvey(stream, layer: decoder?.layer, tags: tags, of: source, reply)
  }

  /// Returns true if the format cannot be surveyed; continues with an index after the sound.
  private func isLost(_ stream: SoundStream, _ source: any StreamSource) async throws -> Bool {
    if let index = stream.indexOffset {
      guard source.traits.givesParts else { return true }
      try source.seek(to: index)
      return false
    }
    return stream.strayByteCount > 64 << 10
  }

  /// Downloads a file completely.
  private func whole(
    _ source: any StreamSource, after first: StreamEvent? = nil
  ) async throws -> FetchedSound {
    let file = try FetchedFile(for: source.name)
    var next = first
    if next == nil { next = try await source.next() }
    guard source.traits.isFinite else {
      throw HTTPError.notPlayable(source.name, reason: "unknown sound format")
    }
    while true {
      if case .transfer(.bytes(let bytes, let offset)) = next {
        let end = offset + Int64(bytes.count)
        guard end <= settings.fetchLimit else {
          throw HTTPError.notPlayable(
            source.name, reason: "more than \(settings.fetchLimit) bytes, the limit for files")
        }
        try file.write(bytes, at: offset)
      }
      next = try await source.next()
      if next == nil { return FetchedSound(source.name, file) }
    }
  }
}
