// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import PlayerControl

@Suite struct SongQueueTests {
  private func songs(_ count: Int) -> [SongEntry] {
    (0..<count).map { SongEntry(path: "\($0)") }
  }

  /// What is played when nobody does anything, at most so many songs.
  private func played(_ queue: SongQueue, limit: Int = 20) -> [String] {
    var paths: [String] = []
    while paths.count < limit, let song = queue.begin() {
      paths.append(song.path)
      queue.advance()
    }
    return paths
  }

  @Test func `songs follow one another, and the list or one of them begins anew`() {
    #expect(played(SongQueue(songs(3))) == ["0", "1", "2"])
    #expect(played(SongQueue(songs(2), repetition: .list), limit: 5) == ["0", "1", "0", "1", "0"])
    #expect(played(SongQueue(songs(2), repetition: .one), limit: 3) == ["0", "0", "0"])
    #expect(played(SongQueue([])).isEmpty)
  }

  @Test func `a seed gives an order, which has every song once`() {
    let first = played(SongQueue(songs(20), seed: 5))
    #expect(first == played(SongQueue(songs(20), seed: 5)))
    #expect(first != played(SongQueue(songs(20), seed: 6)))
    #expect(Set(first).count == 20)
    // The same on every machine, for ever.
    #expect(played(SongQueue(songs(8), seed: 1)) == ["4", "3", "2", "7", "5", "6", "0", "1"])
  }

  @Test func `a list that is shuffled anew does not begin with the song that was heard last`() {
    for seed in 0..<50 {
      let paths = played(SongQueue(songs(3), seed: UInt64(seed), repetition: .list), limit: 30)
      #expect(zip(paths, paths.dropFirst()).allSatisfy { $0 != $1 })
      for round in 0..<10 { #expect(Set(paths[round * 3..<round * 3 + 3]).count == 3) }
    }
  }

  @Test func `next and previous end at the ends, or turn where the list is repeated`() {
    let queue = SongQueue(songs(3))
    #expect(queue.begin()?.path == "0")
    queue.previous()
    #expect(queue.hasMoved)
    #expect(queue.begin()?.path == "0")
    #expect(!queue.hasMoved)
    queue.next()
    // Who moves has gone already.
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

  @Test func `a song that cannot be played is passed over from then on, in both directions`() {
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

  @Test func `where none can be played there is an end, whatever is repeated`() {
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

  @Test func `who quits is at the song yet, and nothing follows`() {
    let queue = SongQueue(songs(3), repetition: .list)
    queue.next()
    _ = queue.begin()
    queue.quit(remembering: true)
    queue.advance()
    #expect(queue.begin() == nil)
    #expect(queue.current?.path == "1")
    #expect(queue.isRemembered && !queue.hasNext)
  }

  @Test func `whatever is done, it is at a song of the list or at its end`() {
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
