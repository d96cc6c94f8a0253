// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import MusicalTime

/// Processes the events of a source, and adds the sound to a queue.
///
/// - Note: Use from one task.
final class StreamIntake {
  /// The purpose of the bytes.
  private enum Kind {
    /// Unknown so far, with the bytes so far.
    case open([UInt8])
    /// Bytes that contain packets.
    case packets
    /// Bytes of a file that must be downloaded completely.
    case file
  }

  /// The number of bytes in which a first packet must be found, or the format is unknown.
  private static let patience = 64 << 10
  /// The maximum number of bytes that are stored until the headers of a known container, or a tag,
  /// are complete.
  private static let headerLimit = 8 << 20

  let source: any StreamSource
  private let item: Int
  private let feed: QueueFeed
  private let settings: StreamSettings
  private let report: StreamPlayer.Report
  private let saving: StreamSaving?
  private let packets: PacketIntake
  /// The position at which to start, in seconds.
  private let start: Double
  private var hasBegun = false
  /// True if the index after the sound was requested.
  private var isIndexFirst = false
  private var kind = Kind.open([])
  private var file: FetchedFile?
  /// The number of bytes since the last packet.
  private var soundlessByteCount: Int64 = 0
  private var hasSound = false
  private var title: StreamTitle?
  /// True if the connection was lost, and no byte was received since.
  private var isInterrupted = false
  /// After the connection is re-established: true if the bytes are continuous, false if some are
  /// missing.
  private var resumption: Bool?

  init(
    _ source: any StreamSource, item: Int, feed: QueueFeed, settings: StreamSettings,
    saving: StreamSaving?, report: @escaping StreamPlayer.Report, from seconds: Double
  ) {
    start = seconds
    packets = PacketIntake(item: item, name: source.name, feed: feed)
    (self.source, self.item, self.feed) = (source, item, feed)
    (self.settings, self.saving, self.report) = (settings, saving, report)
  }

  /// Processes all events.
  ///
  /// - Returns: The file, if it was downloaded completely and has not been played.
  /// - Throws: The error that ended the stream early, after everything received is decoded.
  func run() async throws -> FetchedFile? {
    do {
      while let event = try await source.next() { try await take(event) }
    } catch let error as HTTPError {
      if case .packets = kind { try await packets.finish(bitrate: source.traits.nominalBitrate) }
      throw error
    } catch is QueueFeed.PartEnd {
      return nil
    }
    try Task.checkCancellation()
    do {
      try await finish()
    } catch is QueueFeed.PartEnd {
      return nil
    }
    return file.take()
  }

  private func finish() async throws {
    if case .open(let bytes) = kind { try beginFile(bytes) }
    guard case .packets = kind else { return }
    try await packets.finish(bitrate: source.traits.nominalBitrate)
    if packets.stream.properties == nil, !hasBegun { throw noPackets }
  }

  private func take(_ event: StreamEvent) async throws {
    switch event {
    case .transfer(let event): try await take(event)
    case .fresh: try await packets.renew(bitrate: nil)
    case .silence(let seconds): try await packets.addSilence(seconds: seconds)
    }
  }

  private func take(_ event: HTTPSource.Event) async throws {
    if case .bytes(let bytes, let offset) = event {
      reportResumption()
      saving?.write(bytes, at: offset, from: source)
      if case .file = kind { return try write(bytes, at: offset) }
    }
    packets.append(event, isPlaced: !source.traits.startsItself)
    switch event {
    case .opened(let reply): report(.opened(item: item, reply))
    case .bytes(let bytes, _): try await sort(bytes)
    case .title(let new) where new != title:
      title = new
      feed.note(.title(item: item, new))
    case .interrupted(let error, let pause) where !isInterrupted:
      isInterrupted = true
      feed.noteInterruption()
      report(.interrupted(item: item, error, pause: pause))
    case .resumed(let isContinuous): resumption = isContinuous
    default: break
    }
  }

  private func reportResumption() {
    guard let isContinuous = resumption else { return }
    (resumption, isInterrupted) = (nil, false)
    report(.resumed(item: item, isContinuous: isContinuous))
  }

  /// Determines the purpose of the bytes, and decodes the complete packets.
  private func sort(_ bytes: [UInt8]) async throws {
    if case .open(var all) = kind {
      // Without this second owner, the bytes are appended in place.
      kind = .open([])
      all += bytes
      try classify(all)
    }
    soundlessByteCount += Int64(bytes.count)
    if case .packets = kind {
      if try begin() { return }
      let count = try await packets.decode(bitrate: source.traits.nominalBitrate)
      if count > 0 { noteSound() }
      if packets.stream.properties == nil, packets.stream.strayByteCount >= Self.patience {
        throw noPackets
      }
    }
    try checkForSound()
  }

  /// Notes that packets were found.
  ///
  /// The first ones of a pipe show the size of its pieces.
  private func noteSound() {
    soundlessByteCount = 0
    guard !hasSound else { return }
    hasSound = true
    if source.traits.isRealTime, !source.traits.isLive { feed.noteRealTimePiece() }
  }

  /// Throws an error if headers do not end.
  ///
  /// The sound of a file can follow large pictures.
  private func checkForSound() throws {
    if case .file = kind { return }
    let mayFollow = packets.stream.properties != nil && source.traits.isFinite
    let limit = max(settings.soundlessLimit, mayFollow ? settings.fetchLimit : 0)
    guard soundlessByteCount < limit else { throw HTTPError.soundless(source.name, limit) }
  }

  /// Determines the purpose of all bytes so far.
  private func classify(_ all: [UInt8]) throws {
    let stream = packets.stream
    if stream.properties != nil {
      kind = .packets
      packets.readAgain(all)
    } else if let index = stream.indexOffset {
      try fetchIndex(at: index, all)
    } else {
      kind = .open(all)
      let isUnknown = stream.strayByteCount >= Self.patience
      switch stream.hasSignature {
      case true?:
        if isUnknown { return try beginFile(all) }
        if all.count >= Self.headerLimit { kind = .packets }
      case false? where all.starts(with: "ID3".utf8): kind = .packets
      case false? where ContentSniff.isFile(beginning: all) || all.count >= Self.patience:
        try beginFile(all)
      case nil where all.count >= Self.patience && !all.starts(with: "ID3".utf8):
        try beginFile(all)
      case nil where all.count >= Self.headerLimit: kind = .packets
      default: break
      }
    }
  }

  /// Requests the index after the sound, otherwise the whole file.
  private func fetchIndex(at offset: Int64, _ bytes: [UInt8]) throws {
    let traits = source.traits
    guard traits.givesParts, traits.byteCount.map({ offset < $0 }) ?? false else {
      return try beginFile(bytes)
    }
    (kind, isIndexFirst) = (.packets, true)
    try source.seek(to: offset)
  }

  private var noPackets: HTTPError {
    .notPlayable(source.name, reason: "unknown sound format")
  }

  /// Starts to download a file completely.
  private func beginFile(_ bytes: [UInt8]) throws {
    let traits = source.traits
    guard traits.isFinite else {
      throw HTTPError.notPlayable(source.name, reason: "endless, and not in a known sound format")
    }
    if let count = traits.byteCount {
      guard count <= settings.fetchLimit else { throw tooLong(count) }
      report(.fetching(item: item, byteCount: count))
    }
    file = try FetchedFile(for: source.name)
    kind = .file
    try write(bytes, at: 0)
  }

  private func write(_ bytes: [UInt8], at offset: Int64) throws {
    let end = offset + Int64(bytes.count)
    guard end <= settings.fetchLimit else { throw tooLong(end) }
    try file?.write(bytes, at: offset)
  }

  private func tooLong(_ count: Int64) -> HTTPError {
    .notPlayable(
      source.name, reason: "its \(count) bytes exceed the limit for downloading whole files")
  }

  /// Sets the length, and continues at the start position; returns true if other bytes follow.
  private func begin() throws -> Bool {
    guard !hasBegun, let properties = packets.stream.properties else { return false }
    hasBegun = true
    let traits = source.traits
    let known = packets.stream.frameCount.map { Double($0.value) / Double(properties.hertz) }
    let seconds = traits.isLive ? nil : traits.seconds ?? known
    feed.set(StreamLength(seconds: seconds, isSeekable: !traits.isLive), of: item)
    if traits.isRealTime, traits.isLive { feed.noteRealTime() }
    if let end = settings.end { feed.end(at: frame(end.seconds(at: properties.hertz))) }
    let first = settings.start.seconds(at: properties.hertz)
    let place = traits.isLive ? first : max(first, start)
    if let seconds, place >= seconds, place == first, place > 0, !isEstimated {
      throw HTTPError.beyondEnd(source.name, start: place, seconds: seconds)
    }
    return try begin(at: traits.isLive ? place : min(place, max(0, (seconds ?? place) - 0.1)))
  }

  private var isEstimated: Bool { packets.stream.frameCount?.isEstimated ?? true }

  private func frame(_ seconds: Double) -> Int64 {
    Int64((seconds * Double(feed.rate.hertz)).rounded())
  }

  private func begin(at seconds: Double) throws -> Bool {
    let traits = source.traits
    feed.begin(at: frame(seconds))
    if traits.startsItself, !traits.isLive {
      packets.omit(frames: frame(traits.leadSeconds))
      return false
    }
    let mustSeek = isIndexFirst || seconds > 0 && traits.givesParts
    if mustSeek, let offset = packets.seek(to: seconds), offset > 0 {
      try source.seek(to: offset)
      return true
    }
    packets.omit(frames: frame(seconds))
    return false
  }
}
