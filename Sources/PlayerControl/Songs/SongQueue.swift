// SPDX-License-Identifier: Apache-2.0

/// The songs of a player in the order in which they are played, with a current song.
///
/// The player's loop gets the next song from `begin()`, plays it until its end or until `hasMoved`
/// is true, and calls `advance()`, or `markUnplayable()` if the song cannot be played:
///
/// ```swift
/// while let song = songs.begin() {
///   try play(song.path)
///   songs.advance()
/// }
/// ```
///
/// While a song is played, commands call `next()`, `previous()`, `go(to:)` and `quit()`.
///
/// - Note: Use it on the thread that performs commands.
public final class SongQueue {
  /// The part of the queue that is repeated.
  public enum Repetition: String, CaseIterable, Sendable {
    /// Nothing is repeated.
    case off = "no"
    /// The whole queue is repeated, each time in a new order if it is shuffled.
    case list
    /// The current song is repeated.
    case one
  }

  /// The part of the queue that is repeated.
  public var repetition: Repetition
  /// The index of the current song in the playing order, counted from 0; nil after the last song.
  ///
  /// `quit()` does not change the index.
  public private(set) var index: Int?
  /// True if, since `begin()`, a command has moved to another song or quit the player.
  public private(set) var hasMoved = false
  /// True after `quit(remembering: true)`.
  package private(set) var isRemembered = false
  /// True after `quit()`.
  public private(set) var hasQuit = false

  private let songs: [SongEntry]
  private var order: [Int]
  private var shuffler: Shuffler?
  /// The seed of the shuffled order; nil if the queue is not shuffled.
  public let seed: UInt64?
  /// The songs that cannot be played, as indices of `songs`; they are skipped.
  private var failed: Set<Int> = []
  /// True if the last move was backward.
  private var isBackward = false

  /// Creates a queue whose current song is the first one.
  ///
  /// - Parameters:
  ///   - songs: The songs.
  ///   - seed: The seed of a shuffled order, which is the same on every machine; nil, the default,
  ///     for the order of the songs.
  ///   - repetition: The part that is repeated; nothing by default.
  /// - Complexity: O(n) in the number of songs.
  public init(_ songs: [SongEntry], seed: UInt64? = nil, repetition: Repetition = .off) {
    self.songs = songs
    self.repetition = repetition
    self.seed = seed
    shuffler = seed.map(Shuffler.init)
    order = Array(songs.indices)
    shuffler?.shuffle(&order)
    index = songs.isEmpty ? nil : 0
  }

  /// Creates a queue of files, whose current song is the first one.
  ///
  /// - Parameter paths: The paths of the files.
  public convenience init(paths: [String]) {
    self.init(paths.map { SongEntry(path: $0) })
  }

  /// The number of songs.
  public var count: Int { songs.count }

  /// The current song; nil after the end.
  public var current: SongEntry? { index.map { self[$0] } }

  /// The song at an index in the playing order, 0..<`count`.
  public subscript(index: Int) -> SongEntry { songs[order[index]] }

  /// The number of the current song, such as `3/120`; empty if it is the only one.
  package var place: String {
    guard count > 1, let index else { return "" }
    return "\(index + 1)/\(count)"
  }

  /// True if another song follows after the current one.
  public var hasNext: Bool {
    guard let index, !hasQuit else { return false }
    return repetition != .off || order[(index + 1)...].contains { !failed.contains($0) }
  }

  // MARK: The player's loop

  /// Returns the song to play now, or nil after the last song or `quit()`, and sets `hasMoved` to
  /// false.
  public func begin() -> SongEntry? {
    guard !hasQuit else { return nil }
    hasMoved = false
    return current
  }

  /// Moves to the next song after the current one has ended, unless a command has already moved to
  /// another song.
  public func advance() {
    guard !hasMoved, repetition != .one else { return }
    step(backward: false)
  }

  /// Marks the current song as unplayable, so that it is always skipped, and moves to the next
  /// song.
  public func markUnplayable() {
    guard let index else { return }
    failed.insert(order[index])
    if !hasMoved { step(backward: isBackward) }
  }

  // MARK: Commands

  /// Moves to the next song.
  ///
  /// After the last song, the queue continues with the first one if it is repeated; if not, it
  /// ends.
  public func next() {
    hasMoved = true
    step(backward: false)
  }

  /// Moves to the previous song.
  ///
  /// Before the first song, the queue moves to the last one if it is repeated; if not, to the
  /// beginning of the first.
  public func previous() {
    hasMoved = true
    step(backward: true)
  }

  /// Moves to a song by its index in the playing order.
  ///
  /// - Parameter index: The index, from 0.
  /// - Returns: True if the queue has this index; otherwise false, and the current song does not
  ///   change.
  @discardableResult
  public func go(to index: Int) -> Bool {
    guard order.indices.contains(index) else { return false }
    failed.remove(order[index])
    (self.index, hasMoved, isBackward) = (index, true, false)
    return true
  }

  /// Moves to a remembered song, at its index or any other.
  ///
  /// - Returns: False, without a move, if the queue does not contain the song.
  package func go(to place: SongMemory.Place) -> Bool {
    let isThere: (Int) -> Bool = { self[$0].absolutePath == place.path }
    let found =
      order.indices.contains(place.index) && isThere(place.index)
      ? place.index : order.indices.first(where: isThere)
    return found.map { go(to: $0) } ?? false
  }

  /// Ends the queue without changing the current song.
  public func quit() { quit(remembering: false) }

  /// Ends the queue at the current song.
  ///
  /// - Parameter remembering: True to remember the position.
  package func quit(remembering: Bool) {
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

  /// Starts the list again after a song; returns the index of the first song that can be played.
  private func turn(after last: Int) -> Int? {
    shuffler?.shuffle(&order)
    // The song that has just played is not the first again.
    if shuffler != nil, order.first == last, count > 1 { order.swapAt(0, 1) }
    return order.indices.first { !failed.contains(order[$0]) }
  }
}

/// Shuffles numbers, in the same way for the same seed on every machine.
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
