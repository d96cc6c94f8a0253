internal import AudioProcessing
internal import CCoreAudio
internal import ClipPlayback
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Foundation
internal import MusicalTime
internal import Synchronization

/// The system sounds of this process, and the output that plays them.
///
/// The output is opened when the first sound is played, and stays open.
final class SoundServer: Sendable {
  static let shared = SoundServer()

  private static let rate = SampleRate.hertz48000
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "system sounds")

  private struct State {
    var entries: [SystemSoundID: Entry] = [:]
    /// The next number; numbers up to `kSystemSoundID_UserPreferredAlert` are predefined sounds.
    var next = kSystemSoundID_UserPreferredAlert + 1
    var board: SoundBoard?
    var alert: SystemSound?
  }

  private struct Entry {
    let sound: SystemSound
    var completion: SoundCompletion?
  }

  /// Reads a file and returns the sound's number.
  func add(path: String) throws(ClipError) -> SystemSoundID {
    let sound = try SystemSound(path: path, rate: Self.rate)
    return state.withLock { state in
      defer { state.next &+= 1 }
      state.entries[state.next] = Entry(sound: sound)
      return state.next
    }
  }

  /// Frees a sound; returns false if it does not exist.
  func remove(_ number: SystemSoundID) -> Bool {
    state.withLock { state in
      guard let entry = state.entries.removeValue(forKey: number) else { return false }
      state.board?.dispose(entry.sound)
      return true
    }
  }

  func sound(_ number: SystemSoundID) -> SystemSound? {
    state.withLock { $0.entries[number]?.sound }
  }

  /// Sets or removes the completion of a sound; returns false if the sound does not exist.
  func setCompletion(_ completion: SoundCompletion?, of number: SystemSoundID) -> Bool {
    state.withLock { state in
      guard state.entries[number] != nil else { return false }
      state.entries[number]?.completion = completion
      return true
    }
  }

  /// Plays a sound; the completion and the block are called even if the sound cannot be played.
  func play(_ number: SystemSoundID, asAlert: Bool = false, _ block: (() -> Void)? = nil) {
    // The caller that passed the block is responsible for its use on the queue.
    nonisolated(unsafe) let block = block
    let end: @Sendable () -> Void = { [self] in
      queue.async { [self] in
        state.withLock { $0.entries[number]?.completion }?.call(number)
        unsafe block?()
      }
    }
    do {
      try start(number, asAlert, end)
    } catch {
      end()
    }
  }

  private func start(
    _ number: SystemSoundID, _ asAlert: Bool, _ end: @escaping @Sendable () -> Void
  ) throws {
    let (sound, board) = try state.withLock { state in
      (Self.sound(number, &state), try Self.board(&state))
    }
    guard let sound else { return end() }
    let completion: SoundBoard.Completion = { _ in end() }
    do {
      try Self.play(sound, on: board, asAlert, completion)
    } catch ClipError.cannotDetach {
      // This process plays the sound, although it may be cut short if the process ends.
      sound.completesIfProcessDies = false
      defer { sound.completesIfProcessDies = true }
      try Self.play(sound, on: board, asAlert, completion)
    }
  }

  private static func play(
    _ sound: SystemSound, on board: SoundBoard, _ asAlert: Bool,
    _ completion: @escaping SoundBoard.Completion
  ) throws(ClipError) {
    _ =
      asAlert
      ? try board.playAlert(sound, completion: completion)
      : try board.play(sound, completion: completion)
  }

  private static func sound(_ number: SystemSoundID, _ state: inout State) -> SystemSound? {
    guard number == kSystemSoundID_UserPreferredAlert else { return state.entries[number]?.sound }
    if state.alert == nil { state.alert = AlertSound.chime.sound(rate: rate) }
    return state.alert
  }

  private static func board(_ state: inout State) throws -> SoundBoard {
    if let board = state.board { return board }
    let board = SoundBoard(
      rate: rate, program: DetachedProgram(["downbeat", "sound", "play"]))
    let output = SharedOutput.make(rate: rate)
    try output.start(.playing(board.unit), at: .zero)
    try board.follow(output)
    state.board = board
    return board
  }

  /// The error code for an error.
  static func status(of error: ClipError) -> OSStatus {
    if case .tooLong = error { return kAudioServicesSystemSoundExceededMaximumDurationError }
    return kAudioServicesSystemSoundUnspecifiedError
  }
}
