// SPDX-License-Identifier: Apache-2.0

/// Downloads a short document, such as a playlist.
struct DocumentFetch {
  /// A downloaded document.
  struct Document {
    /// The bytes, up to the limit.
    var bytes: [UInt8] = []
    /// The address with all redirects; it may contain a password.
    var address: String
    /// The address in messages.
    var name: String
  }

  /// The maximum time for a document.
  private static let timeLimit = Duration.seconds(60)

  private let settings: HTTPSettings

  init(_ settings: HTTPSettings, part: Range<Int64>? = nil) {
    var own = settings
    (own.copy, own.takesAnything, own.asksForTitles) = (nil, true, false)
    own.part = part
    self.settings = own
  }

  /// Downloads a document.
  ///
  /// - Parameters:
  ///   - address: The web address.
  ///   - limit: The maximum number of bytes; the rest is not downloaded.
  /// - Returns: The document.
  /// - Throws: `HTTPError`; `stalled` if it takes longer than a minute.
  func run(_ address: String, limit: Int) async throws(HTTPError) -> Document {
    let source = try HTTPSource(address, settings: settings)
    let start = ContinuousClock.now
    let timer = Task {
      do {
        try await Task.sleep(for: Self.timeLimit)
        source.cancel()
      } catch {
        // The document arrived.
      }
    }
    defer {
      timer.cancel()
      source.cancel()
    }
    var document = Document(address: address, name: source.address)
    while document.bytes.count < limit, let event: HTTPSource.Event = try await source.next() {
      if case .bytes(let more, _) = event { document.bytes += more }
    }
    guard ContinuousClock.now - start < Self.timeLimit else {
      throw .stalled(source.address, after: Self.timeLimit)
    }
    document.bytes.removeLast(max(0, document.bytes.count - limit))
    document.address = source.finalAddress
    return document
  }
}

extension DocumentFetch.Document {
  /// The first web addresses in a list (M3U, PLS).
  func addresses(atMost limit: Int) -> [String] {
    let text = String(decoding: bytes.prefix(4096), as: UTF8.self).lowercased()
    let isPLS = text.contains("[playlist]")
    let names = PlaylistText(bytes, isPLS ? .pls : .m3u).lazy.map(\.name)
      .filter { $0.hasPrefix("http://") || $0.hasPrefix("https://") }
    return Array(names.prefix(limit))
  }
}
