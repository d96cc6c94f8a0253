// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

/// A drum kit of clips: it receives events, and each note starts a sound on a sound board.
///
/// A note starts its pad's sound at the exact frame, and the sound plays to its end. The gain is
/// proportional to the square of the velocity, as in a synthesiser. Events other than notes, and
/// notes without a pad, are ignored.
///
/// - Note: Use from one thread at a time, usually the event thread.
public final class ClipKit: EventSink {
  /// A key and the sound that it starts.
  public struct Pad: Sendable {
    /// The key that starts the sound.
    public var key: Key
    /// The MIDI channel; nil for all channels.
    public var channel: Channel?
    /// The sound that is played.
    public var sound: SystemSound
    /// The gain at the highest velocity, a linear factor.
    public var gain: Float
    /// The pan, −1 (left) to 1 (right).
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

  /// The board that plays the sounds.
  public let board: SoundBoard
  /// The number of notes that the board refused, because too many sounds were playing.
  public private(set) var refusedNoteCount = 0
  private let pads: [Pad]
  /// The most recent plays, which `cancel` can cut.
  private var started: [Started] = []

  private static let remembered = 256

  /// Creates a kit.
  ///
  /// - Parameters:
  ///   - pads: The pads. If a note matches several pads, the first one is used.
  ///   - board: The board that plays the sounds.
  public init(_ pads: [Pad], on board: SoundBoard) {
    self.pads = pads
    self.board = board
    started.reserveCapacity(2 * Self.remembered)
  }

  /// Returns true if an event is a note-on or note-off for which the kit has a pad.
  public func plays(_ event: TimedEvent) -> Bool {
    guard case .message(let message) = event.payload,
      message.status & 0xF0 == 0x90 || message.status & 0xF0 == 0x80
    else { return false }
    return pad(of: message) != nil
  }

  /// Starts the sounds of all notes among the events.
  ///
  /// - Returns: the number of events, because all of them are accepted.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    for index in events.indices {
      guard case .message(let message) = events[index].payload,
        message.status & 0xF0 == 0x90, message.data2 > 0
      else { continue }
      strike(message, events[index].time)
    }
    return events.count
  }

  /// Stops the sounds of notes that are due at or after a time.
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
