// SPDX-License-Identifier: Apache-2.0

/// The sound of an HLS stream: the bytes of its segments in sequence.
///
/// Segments that cannot be downloaded are skipped; three in a row end the stream. While segments
/// are added, the playlist is loaded repeatedly.
///
/// - Note: Use from one task.
final class HLSSource: StreamSource {
  /// The number of consecutive missing segments that ends the stream.
  private static let missingLimit = 3
  /// The number of attempts for a segment of a live stream, which is removed soon.
  private static let liveAttempts = 3
  /// The maximum size of an initialization section of fragmented MP4, in bytes.
  private static let mapLimit = 4 << 20

  let name: String
  private let address: String
  private let settings: HTTPSettings
  private let isFromPlace: Bool
  private let clock: @Sendable () -> Duration
  private var schedule: HLSSchedule
  private var pending: [StreamEvent] = []
  /// The transfer of the current segment.
  private var transfer: HTTPSource?
  private var hasOpened = false
  private var hasBytes = false
  /// True if bytes of the current segment were delivered.
  private var hasBegun = false
  private var attempt = 0
  private var missingCount = 0
  private var isInterrupted = false
  /// The time to wait before the next request.
  private var pause = Duration.zero
  /// The initialization section with which the bytes so far began.
  private var map: HLSMedia.Resource?
  private var lastMap: (resource: HLSMedia.Resource, bytes: [UInt8])?
  /// The position of the next byte, over all segments.
  private var offset: Int64 = 0

  /// Prepares to play a loaded media playlist.
  ///
  /// - Parameters:
  ///   - media: The playlist.
  ///   - document: The address of the playlist, and its name in messages.
  ///   - settings: The settings of all transfers.
  ///   - seconds: The position at which to start; 0 for the default.
  ///   - clock: A monotonic clock.
  init(
    _ media: HLSMedia, _ document: DocumentFetch.Document, settings: HTTPSettings,
    from seconds: Double, clock: @escaping @Sendable () -> Duration = HLSSource.usualClock()
  ) {
    (name, address, self.clock) = (document.name, document.address, clock)
    var own = settings
    (own.copy, own.asksForTitles) = (nil, false)
    self.settings = own
    isFromPlace = seconds > 0
    schedule = HLSSchedule(from: seconds > 0 ? seconds : nil)
    schedule.take(media, at: clock())
  }

  /// A clock that starts now.
  static func usualClock() -> @Sendable () -> Duration {
    let start = ContinuousClock.now
    return { ContinuousClock.now - start }
  }

  var traits: StreamTraits {
    let isComplete = schedule.isComplete
    return StreamTraits(
      isLive: !isComplete, startsItself: true,
      leadSeconds: isFromPlace && isComplete ? schedule.leadSeconds : 0,
      seconds: isComplete ? schedule.media?.seconds : nil)
  }

  func seek(to offset: Int64) throws { throw HTTPError.givesNoParts(name) }

  func cancel() { transfer?.cancel() }

  func next() async throws -> StreamEvent? {
    if !hasOpened {
      hasOpened = true
      return .transfer(.opened(HTTPReply(contentType: "application/vnd.apple.mpegurl")))
    }
    while true {
      try Task.checkCancellation()
      if !pending.isEmpty { return pending.removeFirst() }
      if pause > .zero {
        let time = pause
        pause = .zero
        try await Task.sleep(for: time)
      }
      if let transfer {
        try await take(from: transfer)
      } else if try await !begin() {
        return nil
      }
    }
  }

  /// Processes an event of the current segment.
  private func take(from transfer: HTTPSource) async throws {
    do throws(HTTPError) {
      guard let event: HTTPSource.Event = try await transfer.next() else {
        return endSegment(isMissing: false)
      }
      switch event {
      case .bytes(let bytes, _): deliver(bytes)
      case .interrupted, .resumed: pending.append(.transfer(event))
      default: break
      }
    } catch {
      self.transfer = nil
      try recover(from: error)
    }
  }

  private func deliver(_ bytes: [UInt8]) {
    if isInterrupted { pending.append(.transfer(.resumed(isContinuous: missingCount == 0))) }
    pending.append(.transfer(.bytes(bytes, at: offset)))
    offset += Int64(bytes.count)
    (hasBegun, hasBytes, isInterrupted) = (true, true, false)
    attempt = 0
  }

  private func endSegment(isMissing: Bool) {
    transfer = nil
    (hasBegun, attempt) = (false, 0)
    // An initialization section or a part of a segment does not end a row of missing segments.
    if !isMissing { missingCount = 0 }
    schedule.advance(isMissing: isMissing)
  }

  /// Starts the next segment, or waits for one; returns false at the end.
  private func begin() async throws -> Bool {
    switch schedule.step(at: clock()) {
    case .end: return false
    case .stalled(let time): throw HTTPError.stalled(name, after: time)
    case .reload(let time): try await reload(at: time)
    case .segment(let segment, let isDiscontinuous):
      if let method = segment.encryption {
        throw HTTPError.badPlaylist(name, reason: "encrypted (\(method)), cannot be played")
      }
      try await begin(segment, isDiscontinuous)
    }
    return true
  }

  private func begin(_ segment: HLSMedia.Segment, _ isDiscontinuous: Bool) async throws {
    if isDiscontinuous || segment.map != map, hasBytes, !hasBegun {
      pending.append(.fresh)
      map = nil
    }
    guard !segment.isGap else {
      pending.append(.silence(seconds: segment.seconds))
      return endSegment(isMissing: true)
    }
    var own = settings
    own.part = segment.resource.part
    do throws(HTTPError) {
      if let wanted = segment.map, wanted != map {
        deliver(try await bytes(of: wanted))
        map = wanted
      }
      hasBegun = false
      transfer = try HTTPSource(segment.resource.address, settings: own)
    } catch {
      try recover(from: error)
    }
  }

  /// The bytes of an initialization section; the last one is cached.
  private func bytes(of map: HLSMedia.Resource) async throws(HTTPError) -> [UInt8] {
    if map == lastMap?.resource { return lastMap?.bytes ?? [] }
    let bytes = try await DocumentFetch(settings, part: map.part)
      .run(map.address, limit: Self.mapLimit).bytes
    lastMap = (map, bytes)
    return bytes
  }

  /// Tries a segment again after a pause, or skips it.
  private func recover(from error: HTTPError) throws {
    try Task.checkCancellation()
    let limit = schedule.isComplete ? settings.attemptLimit : Self.liveAttempts
    if error.isPassing, !hasBegun, attempt < limit {
      return interrupt(error, settings.pause(beforeAttempt: attempt))
    }
    missingCount += 1
    guard missingCount < Self.missingLimit, error.isPassing || error.isRefusal else { throw error }
    interrupt(error, .zero)
    endSegment(isMissing: true)
  }

  /// Reports an interruption, and waits before the next request.
  private func interrupt(_ error: HTTPError, _ time: Duration) {
    attempt += 1
    pause = time
    pending.append(.transfer(.interrupted(error, pause: time)))
    isInterrupted = true
  }

  /// Loads the playlist again.
  private func reload(at time: Duration) async throws {
    let wait = time - clock()
    if wait > .zero { try await Task.sleep(for: wait) }
    let now = clock()
    do throws(HTTPError) {
      let document = try await DocumentFetch(settings)
        .run(address, limit: HLSPlaylist.byteLimit + 1)
      schedule.take(try document.media(), at: now)
      attempt = 0
    } catch {
      guard error.isPassing || error.isRefusal, attempt < settings.attemptLimit else {
        throw error
      }
      interrupt(error, settings.pause(beforeAttempt: attempt))
    }
  }
}

extension DocumentFetch.Document {
  /// The playlist in the document.
  func playlist() throws(HTTPError) -> HLSPlaylist {
    do {
      return try HLSPlaylist(bytes, address: address)
    } catch {
      throw .badPlaylist(name, reason: "\(error)")
    }
  }

  /// The segments in the document.
  func media() throws(HTTPError) -> HLSMedia {
    guard case .media(let media) = try playlist() else {
      throw .badPlaylist(name, reason: "a list of segments is expected, and this names playlists")
    }
    return media
  }
}

extension HTTPError {
  /// True if the server refuses a single address.
  fileprivate var isRefusal: Bool {
    if case .refused = self { true } else { false }
  }
}
