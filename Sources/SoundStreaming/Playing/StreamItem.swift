// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import FileNames
internal import Glibc
internal import MusicalTime
internal import WholeFiles

/// Plays one item into a queue.
///
/// - Note: Use from one task.
struct StreamItem {
  /// The maximum depth of nested lists.
  private static let deepest = 4
  /// The maximum number of addresses in a list.
  private static let listCount = 1000
  /// The number of lists and addresses that can still be tried, because a list can contain itself.
  private final class Search {
    var listCount = 16
    var addressCount = StreamItem.listCount
  }

  /// The number of frames of a file that are read in one step.
  private static let readFrames = 4096

  let number: Int
  private let feed: QueueFeed
  private let fetched: FetchedFiles
  private let settings: StreamSettings
  private let saving: StreamSaving?
  private let report: StreamPlayer.Report

  init(
    number: Int, feed: QueueFeed, fetched: FetchedFiles, settings: StreamSettings,
    saving: StreamSaving?, report: @escaping StreamPlayer.Report
  ) {
    (self.number, self.feed, self.fetched) = (number, feed, fetched)
    (self.settings, self.saving, self.report) = (settings, saving, report)
  }

  /// Plays the item from a position to its end, and reports the end.
  func play(_ item: StreamPlayer.Item, from seconds: Double) async {
    feed.beginItem()
    do {
      do {
        switch item {
        case .address(let address): try await play(address, from: seconds, depth: 0, Search())
        case .file(let path): try await play(path: path, from: seconds)
        case .pipe(let descriptor, let name):
          try await play(PipeSource(descriptor: descriptor, name: name), from: seconds)
        }
      } catch is QueueFeed.PartEnd {
        // The part has been played.
      }
      try await feed.end(number, .ended(item: number))
    } catch is CancellationError {
      // The caller handles the cancellation.
    } catch {
      await fail(error)
    }
  }

  /// Reports a failure; the sound before it is played.
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
}

// Addresses and lists.
extension StreamItem {
  private func play(
    _ address: String, from seconds: Double, depth: Int, _ search: Search
  ) async throws {
    if let file = fetched.file(of: number, address) { return try await play(file, from: seconds) }
    var http = settings.http
    http.copy = nil
    do {
      let source = try HTTPSource(address, settings: http)
      // This runs during the request, which takes longer than opening a decoder.
      Task.detached { StreamDecoder.prepare() }
      try await play(source, address: address, from: seconds)
    } catch HTTPError.notSound(let shown, .addressList)
      where depth < Self.deepest && search.listCount > 0
    {
      search.listCount -= 1
      let document = try await DocumentFetch(http).run(address, limit: HLSPlaylist.byteLimit + 1)
      if HLSPlaylist.isOne(document.bytes) { return try await play(document, from: seconds) }
      let found = document.addresses(atMost: search.addressCount)
      guard !found.isEmpty else { throw HTTPError.notSound(shown, kind: .emptyList) }
      search.addressCount -= found.count
      try await play(found, from: seconds, depth: depth + 1, search)
    }
  }

  /// Plays the addresses of a list, such as mirrors of a station: if one fails, the next one is
  /// tried.
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

  /// Plays an HLS stream: the best version, or the next one if it fails.
  private func play(_ document: DocumentFetch.Document, from seconds: Double) async throws {
    switch try document.playlist() {
    case .media(let media): try await play(media, document, from: seconds)
    case .master(let master):
      let addresses = master.soundAddresses
      guard let last = addresses.last else {
        throw HTTPError.badPlaylist(document.name, reason: "it does not name sound")
      }
      for address in addresses.dropLast() {
        do {
          return try await play(media: address, from: seconds)
        } catch let error as HTTPError {
          report(.failed(item: number, error))
        }
      }
      try await play(media: last, from: seconds)
    }
  }

  private func play(media address: String, from seconds: Double) async throws {
    let document = try await DocumentFetch(settings.http)
      .run(address, limit: HLSPlaylist.byteLimit + 1)
    try await play(try document.media(), document, from: seconds)
  }

  private func play(
    _ media: HLSMedia, _ document: DocumentFetch.Document, from seconds: Double
  ) async throws {
    let place = max(seconds, settings.start.seconds(at: Int(feed.rate.hertz)))
    let source = HLSSource(media, document, settings: settings.http, from: place)
    try await play(source, from: seconds)
  }
}

// Sources and files.
extension StreamItem {
  private func play(
    _ source: any StreamSource, address: String = "", from seconds: Double
  ) async throws {
    defer { source.cancel() }
    let intake = StreamIntake(
      source, item: number, feed: feed, settings: settings, saving: saving, report: report,
      from: seconds)
    let file = try await intake.run()
    try await saveRest(of: source)
    guard let file else { return }
    let kept = FetchedFiles.Entry(item: number, address: address, name: source.name, file: file)
    fetched.keep(kept)
    try await play(kept, from: seconds)
  }

  /// Downloads the bytes that are saved but not played.
  private func saveRest(of source: any StreamSource) async throws {
    var last: Int64 = -1
    while let saving, let offset = saving.missing(of: source), offset > last {
      last = offset
      if source.traits.givesParts { try source.seek(to: offset) }
      while let event = try await source.next() {
        if case .transfer(.bytes(let bytes, let place)) = event {
          saving.write(bytes, at: place, from: source)
        }
      }
    }
    try Task.checkCancellation()
  }

  /// Plays a file; a pipe is played while it is written.
  private func play(path: String, from seconds: Double) async throws {
    if let pipe = try Self.openedPipe(path) {
      defer { close(pipe) }
      return try await play(PipeSource(descriptor: pipe, name: path), from: seconds)
    }
    try await play(SoundFileReader(path: path, client: client), from: seconds)
  }

  /// Opens a named pipe; nil if the path is not one.
  private static func openedPipe(_ path: String) throws(HTTPError) -> Int32? {
    guard FolderListing.kind(of: path) == .other else { return nil }
    let descriptor = path.withSystemPath { unsafe open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .cannotKeep(path: path, reason: HTTPError.reason(errno)) }
    return descriptor
  }

  private func play(_ fetched: FetchedFiles.Entry, from seconds: Double) async throws {
    let reader = try SoundFileReader(
      descriptor: fetched.file.descriptor, name: fetched.name, client: client)
    try await play(reader, from: seconds)
  }

  private func play(_ reader: SoundFileReader, from seconds: Double) async throws {
    let hertz = Int(reader.rate.hertz)
    let length = reader.frameCount == .max ? nil : Double(reader.frameCount) / Double(hertz)
    feed.set(StreamLength(seconds: length, isSeekable: true), of: number)
    if let end = settings.end {
      feed.end(at: Int64((end.seconds(at: hertz) * Double(feed.rate.hertz)).rounded()))
    }
    try locate(reader, seconds: seconds, length: length)
    let layer =
      reader.formats.first
      ?? SoundLayer(
        codec: SoundCodec(rawValue: reader.formatName), hertz: hertz,
        channelCount: reader.channelCount, framesPerPacket: 0)
    feed.note(.playing(item: number, layer, bitrate: nil))
    while case let samples = reader.read(frameCount: Self.readFrames), !samples.isEmpty {
      try await feed.add(samples, of: number)
    }
  }

  /// Seeks to the start position; a file that does not support seeks starts at its beginning.
  private func locate(
    _ reader: SoundFileReader, seconds: Double, length: Double?
  ) throws(HTTPError) {
    let hertz = Double(reader.rate.hertz)
    let first = settings.start.seconds(at: Int(reader.rate.hertz))
    if let length, first > 0, first >= length, !reader.isFrameCountEstimated {
      throw .beyondEnd(reader.path, start: first, seconds: length)
    }
    let wanted = max(seconds, first)
    let frame = Int64(min((min(wanted, length ?? wanted) * hertz).rounded(), 0x1p50))
    if frame > 0, reader.locate(to: SampleTime(frames: frame)) {
      feed.begin(at: Int64((Double(frame) / hertz * Double(feed.rate.hertz)).rounded()))
    }
  }
}
