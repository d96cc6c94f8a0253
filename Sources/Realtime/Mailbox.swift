// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A queue that passes values ("letters") from any threads to one reader.
///
/// The reader never waits, and never allocates or frees memory.
///
/// The reader may change a letter in place, for example to return an old value in exchange for a
/// new one. Letters that were read are freed by the next call of `post(_:)`, or with the mailbox.
///
/// - Note: `takeEach(_:)` is real-time safe if its body is; `post(_:)` is not.
@safe
public final class Mailbox<Letter: Sendable>: Sendable {
  private let posted = Atomic<UInt>(0)
  private let read = Atomic<UInt>(0)

  /// A letter, and the one posted before it.
  private struct Envelope {
    var letter: Letter
    var next: UInt
  }

  /// Creates an empty mailbox.
  public init() {}

  deinit {
    Self.free(posted.load(ordering: .acquiring))
    Self.free(read.load(ordering: .acquiring))
  }

  /// Adds a letter, and frees the letters that were read.
  ///
  /// - Note: Any thread.
  public func post(_ letter: Letter) {
    Self.free(read.exchange(0, ordering: .acquiring))
    let envelope = UnsafeMutablePointer<Envelope>.allocate(capacity: 1)
    unsafe envelope.initialize(to: Envelope(letter: letter, next: 0))
    unsafe Self.push(envelope, onto: posted)
  }

  /// True if there are letters that have not been read.
  ///
  /// - Note: Real-time safe.
  public var hasLetters: Bool { posted.load(ordering: .acquiring) != 0 }

  /// Passes every letter to `body`, the oldest first.
  ///
  /// If `body` throws, the remaining letters are dropped.
  ///
  /// - Note: One thread at a time.
  /// - Complexity: O(n) in the number of letters.
  public func takeEach(_ body: (inout Letter) throws -> Void) rethrows {
    guard posted.load(ordering: .relaxed) != 0 else { return }
    var list = Self.reversed(posted.exchange(0, ordering: .acquiring))
    while let envelope = unsafe Self.envelope(list) {
      unsafe list = envelope.pointee.next
      defer { unsafe Self.push(envelope, onto: read) }
      do {
        try unsafe body(&envelope.pointee.letter)
      } catch {
        while let unread = unsafe Self.envelope(list) {
          unsafe list = unread.pointee.next
          unsafe Self.push(unread, onto: read)
        }
        throw error
      }
    }
  }

  private static func push(
    _ envelope: UnsafeMutablePointer<Envelope>, onto list: borrowing Atomic<UInt>
  ) {
    let address = UInt(bitPattern: envelope)
    var head = list.load(ordering: .relaxed)
    while true {
      unsafe envelope.pointee.next = head
      let (exchanged, original) = list.weakCompareExchange(
        expected: head, desired: address, successOrdering: .releasing,
        failureOrdering: .relaxed)
      if exchanged { return }
      head = original
    }
  }

  private static func reversed(_ list: UInt) -> UInt {
    var (rest, result) = (list, UInt(0))
    while let envelope = unsafe envelope(rest) {
      unsafe rest = envelope.pointee.next
      unsafe envelope.pointee.next = result
      result = UInt(bitPattern: envelope)
    }
    return result
  }

  private static func free(_ list: UInt) {
    var rest = list
    while let envelope = unsafe envelope(rest) {
      unsafe rest = envelope.pointee.next
      unsafe envelope.deinitialize(count: 1)
      unsafe envelope.deallocate()
    }
  }

  private static func envelope(_ address: UInt) -> UnsafeMutablePointer<Envelope>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }
}
