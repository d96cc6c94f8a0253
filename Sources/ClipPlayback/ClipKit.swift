// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A drum kit made of clips: a sink of events whose notes start sounds of a board.
///
/// A note starts its pad's sound at its own frame and lets it ring to its end; the gain goes with
/// the square of the velocity, as a synthesiser's does. What is no note, or has no pad, is skipped.
///
/// - Note: One thread at a time, the event thread as a rule.
public final class ClipKit: EventSink {
  /// A key and what it starts.
  public struct Pad: Sendable {
    /// The key.
    public var key: Key
    /// The channel; nil for all.
    public var channel: Channel?
    /// What is played.
    public var sound: SystemSound
    /// A linear factor at full velocity.
    public var gain: Float
    /// −1 (left) to 1 (right).
    public var pan: Float

    /// Creates a pad.
    public init(
      key: Key, channel: Channel? = nil, sound: SystemSound, gain: Float = 1, pan: Float = 0
    ) {
      self.key = key
      self.channel = channel
      self.sound = sound
      self.gain = gain
      self.pan = pan
    }
  }

  private struct Started {
    let time: ReferenceTime
    let play: SoundBoard.Play
  }

  /// What it plays on.
  public let board: SoundBoard
  /// Notes for which the board had no room.
  public private(set) var refusedNoteCount = 0
  private let pads: [Pad]
  /// The latest plays, which a cancel may have to take back.
  private var started: [Started] = []

  private static let remembered = 256

  /// Creates a kit; of two pads that a note fits, the first is taken.
  public init(_ pads: [Pad], on board: SoundBoard) {
    self.pads = pads
    self.board = board
    started.reserveCapacity(2 * Self.remembered)
  }

  /// Whether an event is the start or the end of a note that has a pad.
  public func plays(_ event: TimedEvent) -> Bool {
    guard case .message(let message) = event.payload,
      message.status & 0xF0 == 0x90 || message.status & 0xF0 == 0x80
    else { return false }
    return pad(of: message) != nil
  }

  /// Starts the sounds of the notes among the events; every event is taken.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard case .message(let message) = events[index].payload,
        message.status & 0xF0 == 0x90, message.data2 > 0
      else { continue }
      strike(message, events[index].time)
    }
    return events.count
  }

  /// Takes back what is due at or after an instant.
  public func cancel(from time: ReferenceTime) {
    for sound in started where sound.time >= time { board.cut(sound.play) }
    started.removeAll { $0.time >= time }
  }

  private func pad(of message: Message) -> Pad? {
    let channel = Channel(index: message.status & 0x0F)
    return pads.first {
      $0.key.number == message.data1 && ($0.channel == nil || $0.channel == channel)
    }
  }

  private func strike(_ message: Message, _ time: ReferenceTime) {
    guard let pad = pad(of: message) else { return }
    let force = Float(message.data2) / 127
    do {
      let frame = pad.sound.rate.frame(at: time)
      let play = try board.play(
        pad.sound, at: .frame(frame), gain: pad.gain * force * force, pan: pad.pan)
      if started.count == 2 * Self.remembered { started.removeFirst(Self.remembered) }
      started.append(Started(time: time, play: play))
    } catch {
      refusedNoteCount += 1
    }
  }
}
