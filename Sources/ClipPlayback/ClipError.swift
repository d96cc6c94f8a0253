// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

/// The reason that a clip cannot be created or played.
public enum ClipError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case unreadable(SoundFileError)
  /// The sound is longer than 30 s, the limit for memory; `seconds` is the length of the sound.
  case tooLong(path: String, seconds: Int)
  /// The file does not contain any frames.
  case empty(path: String)
  /// The file has more channels than the player can mix.
  case tooManyChannels(path: String, count: Int)
  /// The sound cannot be played, because `SoundBoard.dispose` was called for it.
  case disposed
  /// The maximum number of clips is already playing or waiting.
  case noRoom
  /// No output is running; this is required to start at a host time, or to wait.
  case notRunning
  /// A start time was given, but another process plays the sound, which can only start immediately.
  case cannotWait
  /// The program that plays sounds independently of this process cannot be started; the code is an
  /// error number (`errno`).
  case cannotDetach(command: String, code: Int32)
}

extension ClipError: CustomStringConvertible {
  /// The message for the user.
  public var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .tooLong(let path, let seconds):
      "\(path): \(seconds) s is too long for a system sound, at most 30 s (use an audio player)"
    case .empty(let path): "\(path): contains no sound (0 frames)"
    case .tooManyChannels(let path, let count):
      "\(path): has \(count) channels, at most 32 can be mixed (convert it with --channels 2)"
    case .disposed: "system sound: already disposed of (register the file again)"
    case .noRoom: "system sounds: 256 are already playing or waiting (wait until some have ended)"
    case .notRunning:
      "commands and host times are ignored while no output is running (start the output first)"
    case .cannotWait:
      "system sound: if it outlives the process, it cannot start later (omit the start time)"
    case .cannotDetach(let command, let code):
      "\(command): cannot be started as a separate process: error \(code)"
    }
  }
}
