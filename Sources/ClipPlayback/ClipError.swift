// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

/// Why a clip cannot be made or played.
public enum ClipError: Error, Hashable, Sendable {
  /// The file cannot be read.
  case unreadable(SoundFileError)
  /// The sound is too long to be held in memory.
  case tooLong(path: String, seconds: Int)
  /// The file has no frame.
  case empty(path: String)
  /// The file has more channels than can be mixed.
  case tooManyChannels(path: String, count: Int)
  /// The clip was disposed of.
  case disposed
  /// So many clips sound or wait that there is no room for another.
  case noRoom
  /// A host time was named, or a command awaited, while no output runs.
  case notRunning
  /// A moment was named for a sound that another process plays.
  case cannotWait
  /// The program that plays on when this one dies cannot be started; the code is an error number.
  case cannotDetach(command: String, code: Int32)
}

extension ClipError: CustomStringConvertible {
  /// The sentence for the user.
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
