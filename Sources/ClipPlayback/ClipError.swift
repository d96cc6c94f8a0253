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
      "\(path): \(seconds) s are too long for a system sound: at most 30 s (use an audio player)"
    case .empty(let path): "\(path): no sound in it: it has 0 frames"
    case .tooManyChannels(let path, let count):
      "\(path): \(count) channels cannot be mixed: at most 32 (convert it with --channels 2)"
    case .disposed: "system sound: disposed of already (register the file again)"
    case .noRoom: "system sounds: 256 sound or wait already (let some of them end first)"
    case .notRunning:
      "no output runs, so a host time means nothing and no command is heard (start it first)"
    case .cannotWait:
      "system sound: what completes if the process dies begins at once (name no moment)"
    case .cannotDetach(let command, let code):
      "\(command): cannot be started to play on by itself: error \(code)"
    }
  }
}
