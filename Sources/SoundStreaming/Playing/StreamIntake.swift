// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioProcessing
internal import MusicalTime

/// Takes what a source receives, and feeds a queue with what it decodes to.
///
/// - Note: one task.
final class StreamIntake {
  /// What becomes of the bytes.
  private enum Kind {
    /// It is not known yet; those that have come.
    case open([UInt8])
    /// They are packets.
    case packets
    /// They are a file, which is fetched whole.
    case file
  }

  /// Bytes among which a first packet is found, or there is none.
  private static let patience = 64 << 10

  let source: HTTPSource
  private let item: Int
  private let feed: QueueFeed
  private let settings: StreamSettings
  private let report: StreamPlayer.Report
  /// Where it is to begin, in seconds; nil once that is done, or was begun with.
  private var start: Double?
  /// Frames of the queue that come before that.
  private var unheard: Int64 = 0
  private var kind = Kind.open([])
  private var stream = SoundStream()
  private var decoder: StreamDecoder?
  private var file: FetchedFile?
  private var title: StreamTitle?
  /// Whether the connection was lost, and no byte has come since.
  private var isInterrupted = false
  /// Whether it is there again, with continuity or without.
  private var resumption: Bool?

  init(
    _ source: HTTPSource, item: Int, feed: QueueFeed, settings: StreamSettings,
    report: @escaping StreamPlayer.Report, from seconds: Double
  ) {
    start = seconds > 0 ? seconds : nil
    (self.source, self.item, self.feed) = (source, item, feed)
    (self.settings, self.report) = (settings, report)
    stream.takesOtherFormats = true
  }

  /// Takes all that comes.
  ///
  /// - Returns: the file, where it was fetched whole and is yet to be played.
  /// - Throws: what ended the stream before its end, after all that came is decoded.
  func run() async throws -> FetchedFile? {
    do {
      while let event = try await source.next() { try await take(event) }
    } catch let error as HTTPError {
      if case .packets = kind { try await finish() }
      throw error
    }
    try Task.checkCancellation()
    if case .open(let bytes) = kind { try beginFile(bytes) }
    if case .packets = kind { try await finish() }
    return file.take()
  }

  private func take(_ event: HTTPSource.Event) async throws {
    if case .bytes(let bytes, let offset) = event {
      tellResumption()
      if case .file = kind { return try file?.write(bytes, at: offset) ?? () }
    }
    stream.append(event)
    switch event {
    case .opened(let reply): report(.opened(item: item, reply))
    case .bytes(let bytes, _): try await sort(bytes)
    case .title(let new) where new != title:
      title = new
      feed.note(.title(item: item, new))
    case .interrupted(let error, let pause) where !isInterrupted:
      isInterrupted = true
      report(.interrupted(item: item, error, pause: pause))
    case .resumed(let isContinuous): resumption = isContinuous
    default: break
    }
  }

  private func tellResumption() {
    guard let isContinuous = resumption else { return }
    (resumption, isInterrupted) = (nil, false)
    report(.resumed(item: item, isContinuous: isContinuous))
  }

  /// Finds out what the bytes are, and decodes what there is of packets.
  private func sort(_ bytes: [UInt8]) async throws {
    if case .open(let before) = kind {
      let all = before + bytes
      if ContentSniff.isFile(beginning: all) {
        try beginFile(all)
      } else if stream.properties != nil || all.starts(with: "ID3".utf8) {
        kind = .packets
      } else if all.count >= Self.patience {
        try beginFile(all)
      } else {
        kind = .open(all)
      }
    }
    guard case .packets = kind else { return }
    if try begin() { return }
    try await decode()
    if stream.properties == nil, stream.strayByteCount >= Self.patience { throw noPackets }
  }

  private var noPackets: HTTPError {
    .notPlayable(source.address, reason: "unknown sound format")
  }

  /// Begins to fetch a file whole.
  private func beginFile(_ bytes: [UInt8]) throws {
    guard let reply = source.reply, !reply.isLive, let count = reply.byteCount else {
      throw HTTPError.notPlayable(
        source.address, reason: "endless, and not in a known sound format")
    }
    guard count <= settings.fetchLimit else {
      throw HTTPError.notPlayable(
        source.address, reason: "its \(count) bytes exceed the limit for downloading whole files")
    }
    let new = try FetchedFile(for: source.address)
    try new.write(bytes, at: 0)
    file = consume new
    kind = .file
    stream = SoundStream()
    report(.fetching(item: item, byteCount: count))
  }

  /// Notes how long it is, and goes to where it is to begin; true where other bytes come first.
  private func begin() throws -> Bool {
    guard let properties = stream.properties, let reply = source.reply else { return false }
    let hertz = Double(properties.hertz)
    let seconds = stream.frameCount.map { Double($0.value) / hertz }
    feed.set(
      StreamLength(seconds: reply.isLive ? nil : seconds, isSeekable: !reply.isLive), of: item)
    guard let wanted = start else { return false }
    start = nil
    // What a station has sent is gone.
    guard !reply.isLive else { return false }
    let target = min(wanted, max(0, (seconds ?? wanted) - 0.1))
    feed.begin(at: Int64(target * Double(feed.rate.hertz)))
    let packet = Int(
      (target * hertz + Double(properties.primingFrameCount))
        / Double(max(1, properties.framesPerPacket)))
    guard reply.givesParts, let place = stream.seek(toPacket: max(0, packet - Self.preroll)),
      place.offset > 0
    else {
      unheard = Int64(target * Double(feed.rate.hertz))
      return false
    }
    unheard = Int64(
      Double((packet - place.packet) * properties.framesPerPacket) / hertz
        * Double(feed.rate.hertz))
    _ = stream.takePackets()
    try source.seek(to: place.offset)
    return true
  }

  /// Packets whose frames come out wrong, since those before them are not decoded.
  private static let preroll = 10

  /// Hands on samples, but for those that are not to be heard.
  private func add(_ samples: [Float]) async throws {
    let count = min(unheard, Int64(samples.count / 2))
    unheard -= count
    let heard = count == 0 ? samples : Array(samples.dropFirst(2 * Int(count)))
    if !heard.isEmpty { try await feed.add(heard, of: item) }
  }

  private func decode() async throws {
    for packet in stream.takePackets() {
      guard let properties = stream.properties else { return }
      if decoder == nil {
        decoder = try StreamDecoder(
          properties, client: ClientFormat(rate: feed.rate, channelCount: 2, quality: .high),
          name: source.address)
      }
      let layer = decoder?.layer
      let sounds = try decoder?.decode(packet) ?? []
      if let new = decoder?.layer, new != layer {
        feed.note(.playing(item: item, new, bitrate: bitrate(properties)))
      }
      for sound in sounds { try await add(sound.samples) }
    }
  }

  /// Bits a second: what the stream says or the server, else what the packets come to.
  private func bitrate(_ properties: SoundStream.Properties) -> Int? {
    let counted = Int(stream.bitrate.bitsPerSecond.rounded())
    return source.reply?.nominalBitrate ?? properties.nominalBitrate
      ?? (counted > 0 ? counted : nil)
  }

  private func finish() async throws {
    stream.finish()
    if stream.properties == nil { throw noPackets }
    try await decode()
    for sound in decoder?.finish() ?? [] { try await add(sound.samples) }
  }
}
