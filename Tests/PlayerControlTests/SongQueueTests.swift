// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import PlayerControl

@Suite struct SongQueueTests {
  private func songs(_ count: Int) -> [SongEntry] {
    (0..<count).map { SongEntry(path: "\($0)") }
  }

  /// Returns the paths of the songs that are played without commands, up to a limit.
  private func played(_ queue: SongQueue, limit: Int = 20) -> [String] {
    var paths: [String] = []
    while paths.count < limit, let song = queue.begin() {
      paths.append(song.path)
      queue.advance()
    }
    return paths
  }

  @Test func `songs are played in order, and the list or a song is repeated`() {
    #expect(played(SongQueue(songs(3))) == ["0", "1", "2"])
    #expect(played(SongQueue(songs(2), repetition: .list), limit: 5) == ["0", "1", "0", "1", "0"])
    #expect(played(SongQueue(songs(2), repetition: .one), limit: 3) == ["0", "0", "0"])
    #expect(played(SongQueue([])).isEmpty)
  }

  @Test func `a seed gives an order that contains every song once`() {
    let first = played(SongQueue(songs(20), seed: 5))
    #expect(first == played(SongQueue(songs(20), seed: 5)))
    #expect(first != played(SongQueue(songs(20), seed: 6)))
    #expect(Set(first).count == 20)
    // The order must be the same on every machine and in every version.
    #expect(played(SongQueue(songs(8), seed: 1)) == ["4", "3", "2", "7", "5", "6", "0", "1"])
  }

  @Test func `a reshuffled list does not start with the last song`() {
    for seed in 0..<50 {
      let paths = played(SongQueue(songs(3), seed: UInt64(seed), repetition: .list), limit: 30)
      #expect(zip(paths, paths.dropFirst()).allSatisfy { $0 != $1 })
      for round in 0..<10 { #expect(Set(paths[round * 3..<round * 3 + 3]).count == 3) }
    }
  }

  @Test func `next and previous stop at the ends, or wrap around if the list is repeated`() {
    let queue = SongQueue(songs(3))
    #expect(queue.begin()?.path == "0")
    queue.previous()
    #expect(queue.hasMoved)
    #expect(queue.begin()?.path == "0")
    #expect(!queue.hasMoved)
    queue.next()
    // The queue has already moved, so this does nothing.
    queue.advance()
    #expect(queue.begin()?.path == "1")
    #expect(queue.go(to: 2))
    #expect(!queue.go(to: 3) && !queue.go(to: -1))
    #expect(queue.place == "3/3")
    #expect(!queue.hasNext)
    queue.next()
    #expect(queue.begin() == nil)
    let endless = SongQueue(songs(3), repetition: .list)
    endless.previous()
    #expect(endless.begin()?.path == "2")
    endless.next()
    #expect(endless.begin()?.path == "0")
  }

  @Test func `an unplayable song is skipped from then on, in both directions`() {
    let queue = SongQueue(songs(4), repetition: .list)
    queue.next()
    #expect(queue.begin()?.path == "1")
    queue.markUnplayable()
    #expect(queue.begin()?.path == "2")
    queue.previous()
    #expect(queue.begin()?.path == "0")
    queue.advance()
    #expect(queue.begin()?.path == "2")
    #expect(queue.count == 4)
  }

  @Test func `the queue ends if all songs are unplayable, also with repetition`() {
    for repetition in SongQueue.Repetition.allCases {
      let queue = SongQueue(songs(3), repetition: repetition)
      var tries = 0
      while queue.begin() != nil {
        tries += 1
        queue.markUnplayable()
      }
      #expect(tries == 3)
    }
  }

  @Test func `after quitting, the queue is still at the song, and ends`() {
    let queue = SongQueue(songs(3), repetition: .list)
    queue.next()
    _ = queue.begin()
    queue.quit(remembering: true)
    queue.advance()
    #expect(queue.begin() == nil)
    #expect(queue.current?.path == "1")
    #expect(queue.isRemembered && !queue.hasNext)
  }

  @Test func `after any operations, the queue is at a song or at its end`() {
    var random = SplitMix(seed: 11)
    for round in 0..<200 {
      let count = Int.random(in: 0..<5, using: &random)
      let queue = SongQueue(
        songs(count), seed: round % 2 == 0 ? nil : UInt64(round),
        repetition: SongQueue.Repetition.allCases.randomElement(using: &random) ?? .off)
      for _ in 0..<60 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: queue.next()
        case 1: queue.previous()
        case 2: queue.go(to: Int.random(in: -1...count, using: &random))
        case 3: queue.markUnplayable()
        case 4: _ = queue.begin()
        default: queue.advance()
        }
        #expect(queue.index.map { (0..<count).contains($0) } ?? true)
        #expect(Set((0..<count).map { queue[$0].path }).count == count)
      }
    }
  }
}
