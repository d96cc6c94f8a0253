// SPDX-License-Identifier: Apache-2.0
import Glibc
import MusicSequences

/// Parses a layout's tracks on this thread and one more, which take turns at the next track.
func parseOnTwoThreads(_ layout: SMFLayout, _ reader: SMFReader) -> [ParsedTrack] {
  let work = SharedWork(layout, reader)
  var thread = pthread_t()
  let context = Unmanaged.passRetained(work).toOpaque()
  pthread_create(
    &thread, nil,
    { context in
      context.map { Unmanaged<SharedWork>.fromOpaque($0).takeRetainedValue().run() }
      return nil
    }, context)
  work.run()
  pthread_join(thread, nil)
  return work.results.sorted { $0.index < $1.index }.map(\.track)
}

/// The next track to parse and the tracks that are done; both under one lock.
private final class SharedWork: @unchecked Sendable {
  private let layout: SMFLayout
  private let reader: SMFReader
  private let order: [Int]
  private var next = 0
  private var lock = pthread_mutex_t()
  private(set) var results: [(index: Int, track: ParsedTrack)] = []

  init(_ layout: SMFLayout, _ reader: SMFReader) {
    self.layout = layout
    self.reader = reader
    // The longest first: the threads then end together.
    order = layout.tracks.indices.sorted { layout.tracks[$0].count > layout.tracks[$1].count }
    pthread_mutex_init(&lock, nil)
  }

  func run() {
    let parsed = reader.parseTracks(of: layout, taking: take)
    pthread_mutex_lock(&lock)
    results += parsed
    pthread_mutex_unlock(&lock)
  }

  private func take() -> Int? {
    pthread_mutex_lock(&lock)
    defer { pthread_mutex_unlock(&lock) }
    guard next < order.count else { return nil }
    defer { next += 1 }
    return order[next]
  }
}
