// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// Plays one item into a queue.
///
/// - Note: one task.
struct StreamItem {
  /// How many lists may lie in one another.
  private static let deepest = 4
  /// The most bytes of a list, and the most of its addresses.
  private static let (listBytes, listCount) = (256 << 10, 1000)
  /// What is left to try of an item: a list may name itself a thousand times.
  private final class Search {
    /// The lists that may still be read.
    var listCount = 16
    /// The addresses that may still be tried, of all lists together.
    var addressCount = StreamItem.listCount
  }

  /// Frames that are read of a file at once.
  private static let readFrames = 4096

  let number: Int
  private let feed: QueueFeed
  private let fetched: FetchedFiles
  private let settings: StreamSettings
  private let report: StreamPlayer.Report

  init(
    number: Int, feed: QueueFeed, fetched: FetchedFiles, settings: StreamSettings,
    report: @escaping StreamPlayer.Report
  ) {
    (self.number, self.feed, self.fetched) = (number, feed, fetched)
    (self.settings, self.report) = (settings, report)
  }

  /// Plays it from a place to its end, and tells how that was.
  func play(_ item: StreamPlayer.Item, from seconds: Double) async {
    feed.begin(at: 0)
    do {
      switch item {
      case .address(let address): try await play(address, from: seconds, depth: 0, Search())
      case .file(let path):
        try await play(SoundFileReader(path: path, client: client), from: seconds)
      }
      try await feed.end(number, .ended(item: number))
    } catch is CancellationError {
      // Whoever ended it need not be told.
    } catch {
      await fail(error)
    }
  }

  /// Tells of a failure; what came before it is heard.
  private func fail(_ error: any Error) async {
    report(.failed(item: number, error))
    do {
      try await feed.end(number, .ended(item: number))
    } catch {
      // Cancelled.
    }
  }

  private var client: ClientFormat {
    ClientFormat(rate: feed.rate, channelCount: 2, quality: .high)
  }

  private func play(
    _ address: String, from seconds: Double, depth: Int, _ search: Search
  ) async throws {
    if let file = fetched.file(of: number, address) { return try await play(file, from: seconds) }
    var http = settings.http
    http.copy = nil
    let intake = StreamIntake(
      try HTTPSource(address, settings: http), item: number, feed: feed, settings: settings,
      report: report, from: seconds)
    do {
      guard let file = try await intake.run() else { return }
      let kept = FetchedFiles.Entry(
        item: number, address: address, name: intake.source.address, file: file)
      fetched.keep(kept)
      try await play(kept, from: seconds)
    } catch HTTPError.notSound(let shown, .addressList)
      where depth < Self.deepest && search.listCount > 0
    {
      search.listCount -= 1
      let found = try await addresses(address, shown, atMost: search.addressCount)
      search.addressCount -= found.count
      try await play(found, from: seconds, depth: depth + 1, search)
    }
  }

  private func play(_ fetched: FetchedFiles.Entry, from seconds: Double) async throws {
    let reader = try SoundFileReader(
      descriptor: fetched.file.descriptor, name: fetched.name, client: client)
    try await play(reader, from: seconds)
  }

  private func play(_ reader: SoundFileReader, from seconds: Double) async throws {
    let length =
      reader.frameCount == .max
      ? nil : Double(reader.frameCount) / Double(reader.rate.hertz)
    feed.set(StreamLength(seconds: length, isSeekable: true), of: number)
    // Behind the end, and where nothing can be sought in, it begins at the beginning.
    let frame = Int64(min(min(seconds, length ?? seconds) * Double(reader.rate.hertz), 0x1p50))
    if frame > 0, reader.locate(to: SampleTime(frames: frame)) {
      feed.begin(at: Int64(Double(frame) / Double(reader.rate.hertz) * Double(feed.rate.hertz)))
    }
    let layer =
      reader.formats.first
      ?? SoundLayer(
        codec: SoundCodec(rawValue: reader.formatName), hertz: Int(reader.rate.hertz),
        channelCount: reader.channelCount, framesPerPacket: 0)
    feed.note(.playing(item: number, layer, bitrate: nil))
    while case let samples = reader.read(frameCount: Self.readFrames), !samples.isEmpty {
      try await feed.add(samples, of: number)
    }
  }

  /// Plays what a list names; of mirrors of one station the next one follows where one fails.
  private func play(
    _ addresses: [String], from seconds: Double, depth: Int, _ search: Search
  ) async throws {
    for address in addresses.dropLast() {
      do {
        try await play(address, from: seconds, depth: depth, search)
      } catch let error as HTTPError {
        report(.failed(item: number, error))
      }
    }
    if let last = addresses.last { try await play(last, from: seconds, depth: depth, search) }
  }

  /// The addresses in a list.
  private func addresses(
    _ address: String, _ shown: String, atMost most: Int
  ) async throws(HTTPError) -> [String] {
    var http = settings.http
    (http.copy, http.takesAnything, http.asksForTitles) = (nil, true, false)
    let source = try HTTPSource(address, settings: http)
    var bytes: [UInt8] = []
    while bytes.count < Self.listBytes, let event = try await source.next() {
      if case .bytes(let more, _) = event { bytes += more }
    }
    source.cancel()
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
    guard !text.contains("#ext-x-") else { throw .notSound(shown, kind: .broadcast) }
    let isPLS = text.contains("[playlist]")
    let names = PlaylistText(bytes, isPLS ? .pls : .m3u).lazy.map(\.name)
      .filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    let found = Array(names.prefix(most))
    guard !found.isEmpty else { throw .notSound(shown, kind: .emptyList) }
    return found
  }
}
