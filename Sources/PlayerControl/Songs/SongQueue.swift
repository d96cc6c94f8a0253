// SPDX-License-Identifier: Apache-2.0

/// The songs of a run in the order in which they are played, and which of them it is at.
///
/// Whoever plays asks for `current`, plays it until its end or until `hasMoved`, and tells what
/// became of it: `advance` or `giveUp`. Whoever steers calls `next`, `previous`, `go` and `quit`
/// meanwhile.
///
/// - Note: one thread, the one that takes keys and commands.
package final class SongQueue {
  /// The part of the list that is repeated.
  package enum Repetition: String, CaseIterable {
    /// Nothing.
    case no
    /// The whole list, in another order where it is shuffled.
    case list
    /// The song that it is at.
    case one
  }

  /// The part of the list that is repeated.
  package var repetition: Repetition
  /// The number in the order of the song that it is at, from 0; nil after the last.
  ///
  /// Who quits leaves it where it is.
  package private(set) var index: Int?
  /// Whether somebody went to another song, or quit, since `begin`.
  package private(set) var hasMoved = false
  /// Whether somebody quit who wants to go on there another time.
  package private(set) var isRemembered = false
  /// Whether somebody quit.
  package private(set) var hasQuit = false

  private let songs: [SongEntry]
  private var order: [Int]
  private var shuffler: Shuffler?
  /// What the order was shuffled with; nil where it was not.
  package let seed: UInt64?
  /// The songs that cannot be played, by their number among `songs`; they are passed over.
  private var failed: Set<Int> = []
  /// Whether it was gone back last.
  private var isBackward = false

  /// Begins with the first song.
  ///
  /// - Parameters:
  ///   - songs: the songs, as they were named.
  ///   - seed: what gives them another order; nil leaves them in theirs.
  ///   - repetition: what is played again by itself.
  package init(_ songs: [SongEntry], seed: UInt64? = nil, repetition: Repetition = .no) {
    self.songs = songs
    self.repetition = repetition
    self.seed = seed
    shuffler = seed.map(Shuffler.init)
    order = Array(songs.indices)
    shuffler?.shuffle(&order)
    index = songs.isEmpty ? nil : 0
  }

  /// How many songs there are.
  package var count: Int { songs.count }

  /// The song that it is at; nil after the end.
  package var current: SongEntry? { index.map { self[$0] } }

  /// A song by its number in the order, 0..<`count`.
  package subscript(index: Int) -> SongEntry { songs[order[index]] }

  /// The number of the song among those that are played, `3/120`; empty where it is the only one.
  package var place: String {
    guard count > 1, let index else { return "" }
    return "\(index + 1)/\(count)"
  }

  /// Whether a song follows by itself.
  package var hasNext: Bool {
    guard let index, !hasQuit else { return false }
    return repetition != .no || order[(index + 1)...].contains { !failed.contains($0) }
  }

  // MARK: Whoever plays

  /// The song to play now; nil after the last.
  ///
  /// From now on moves are heard of.
  package func begin() -> SongEntry? {
    guard !hasQuit else { return nil }
    hasMoved = false
    return current
  }

  /// The song has been played; where nobody moved it is the turn of the one that follows.
  package func advance() {
    guard !hasMoved, repetition != .one else { return }
    step(backward: false)
  }

  /// The song cannot be played: it is passed over now, and from now on.
  package func giveUp() {
    guard let index else { return }
    failed.insert(order[index])
    if !hasMoved { step(backward: isBackward) }
  }

  // MARK: Whoever steers

  /// Goes to the song that follows; after the last one to the first where the list is repeated,
  /// else to the end of all.
  package func next() {
    hasMoved = true
    step(backward: false)
  }

  /// Goes to the song before; before the first one to the last where the list is repeated, else to
  /// the first anew.
  package func previous() {
    hasMoved = true
    step(backward: true)
  }

  /// Goes to a song by its number in the order.
  ///
  /// - Returns: false where there is none of that number, and nothing happens.
  @discardableResult
  package func go(to index: Int) -> Bool {
    guard order.indices.contains(index) else { return false }
    failed.remove(order[index])
    (self.index, hasMoved, isBackward) = (index, true, false)
    return true
  }

  /// Goes to the song that was left, at its number or wherever it is now.
  ///
  /// - Returns: false where it is not there, and nothing happens.
  package func go(to place: SongMemory.Place) -> Bool {
    let isThere: (Int) -> Bool = { self[$0].absolutePath == place.path }
    let found =
      order.indices.contains(place.index) && isThere(place.index)
      ? place.index : order.indices.first(where: isThere)
    return found.map { go(to: $0) } ?? false
  }

  /// Ends all.
  ///
  /// - Parameter remembering: whether the place is to be gone on at another time.
  package func quit(remembering: Bool = false) {
    (isRemembered, hasMoved, hasQuit) = (remembering, true, true)
  }

  private func step(backward: Bool) {
    guard let index else { return }
    isBackward = backward
    let isPlayable: (Int) -> Bool = { [failed, order] in !failed.contains(order[$0]) }
    if backward {
      let rest = order[..<index].indices
      self.index =
        rest.last(where: isPlayable)
        ?? (repetition == .list ? order.indices.last(where: isPlayable) : nil)
        ?? order[index...].indices.first(where: isPlayable)
    } else if let next = order[(index + 1)...].indices.first(where: isPlayable) {
      self.index = next
    } else {
      self.index = repetition == .list ? turn(after: order[index]) : nil
    }
  }

  /// Begins the list anew after a song; the number of the first that can be played.
  private func turn(after last: Int) -> Int? {
    shuffler?.shuffle(&order)
    // The song that was just heard is not the first again.
    if shuffler != nil, order.first == last, count > 1 { order.swapAt(0, 1) }
    return order.indices.first { !failed.contains(order[$0]) }
  }
}

/// Gives things another order, the same for the same seed on every machine.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (SplitMix64);
/// Knuth, "The Art of Computer Programming", 3.4.2, algorithm P.
private struct Shuffler {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func shuffle(_ numbers: inout [Int]) {
    guard numbers.count > 1 else { return }
    for last in (1..<numbers.count).reversed() {
      numbers.swapAt(last, Int(next() % UInt64(last + 1)))
    }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
