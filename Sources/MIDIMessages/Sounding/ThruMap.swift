// SPDX-License-Identifier: Apache-2.0

/// A filter and a transform whose settings can be changed while notes sound.
///
/// A note-off is sent to the channel and key to which its note-on was sent, even if the settings
/// have changed since. If the note-on did not pass, the note-off does not pass either. The same
/// applies to pedals and bends.
public struct ThruMap: Sendable {
  /// The messages that pass; the filter is applied before the transform.
  public var filter: MessageFilter
  /// The transform that is applied to the messages that pass.
  public var transform: MessageTransform
  /// The channels and keys to which held notes, pedals and bends were sent.
  var ways = HeldWays()

  /// Creates a map through which all messages pass unchanged, except as specified.
  public init(
    filter: MessageFilter = MessageFilter(), transform: MessageTransform = MessageTransform()
  ) {
    self.filter = filter
    self.transform = transform
  }

  /// True if all messages pass unchanged.
  public var isIdentity: Bool { filter.passesAll && transform.isIdentity }

  /// Returns the changed message, or nil if it does not pass.
  public mutating func apply(_ message: Message) -> Message? {
    let changed = filter.passes(message) ? transform.apply(message) : nil
    guard let (hold, begins) = message.hold else { return changed }
    guard ways.holds(hold) else {
      guard let changed, begins || !hold.isKey else { return nil }
      ways.note(hold, begins, as: changed)
      return changed
    }
    // If it is begun again while held, it is sent to the same channel and key, which then has all
    // releases.
    guard let going = begins ? changed : changed ?? message else { return nil }
    let sent = ways.redirected(going, hold)
    ways.note(hold, begins, as: sent)
    return sent
  }

  /// Filters and changes an event, and appends the result to a list if it passes.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - payloads: The bytes to which the payload of the event refers.
  ///   - sent: The list to append to.
  /// - Complexity: O(n) in the number of payload bytes.
  public mutating func apply<Time>(
    _ event: StampedEvent<Time>, payloads: Span<UInt8>, into sent: inout EventList<Time>
  ) {
    switch event.payload {
    case .message(let message):
      guard let changed = apply(message) else { return }
      var event = event
      event.payload = .message(changed)
      sent.append(event)
    case .sysEx, .sysExPart:
      guard filter.kinds.contains(.sysEx) else { return }
      sent.append(event, payloads: payloads)
    case .parameter, .fact:
      sent.append(event)
    }
  }
}

/// The channels and keys to which held keys, pedals and bends were sent.
struct HeldWays: Sendable {
  private var ways = ContiguousArray(repeating: Way(), count: Hold.count)

  private struct Way: BitwiseCopyable, Sendable {
    var count: UInt8 = 0
    var channel: UInt8 = 0
    var key: UInt8 = 0

    @inline(__always)
    mutating func note(_ hold: Hold, _ begins: Bool, _ sent: Message) {
      hold.count(begun: begins, in: &count)
      (channel, key) = (sent.status & 0x0F, sent.data1)
    }
  }

  /// Returns true if it was begun and not ended.
  func holds(_ hold: Hold) -> Bool { ways[hold.index].count > 0 }

  /// The message, with the channel and key of the hold that it begins again or ends.
  func redirected(_ message: Message, _ hold: Hold) -> Message {
    let way = ways[hold.index]
    return Message(
      status: message.status & 0xF0 | way.channel, data1: hold.isKey ? way.key : message.data1,
      data2: message.data2)
  }

  /// Records a message that began or ended a hold, and its form after the transform.
  @inline(__always)
  mutating func note(_ hold: Hold, _ begins: Bool, as sent: Message) {
    ways[hold.index].note(hold, begins, sent)
  }

  /// Clears the state after everything has been released.
  mutating func forget() {
    for index in ways.indices { ways[index] = Way() }
  }

  /// Copies the state of another value, without allocation.
  mutating func take(_ other: HeldWays) {
    for index in ways.indices { ways[index] = other.ways[index] }
  }
}
