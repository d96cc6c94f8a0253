// SPDX-License-Identifier: Apache-2.0
public import AudioFiles

extension StreamPlayer {
  /// An item that a player can play.
  public enum Item: Hashable, Sendable {
    /// A web address of a file, a radio station, or a list of addresses.
    case address(String)
    /// A sound file.
    ///
    /// A named pipe is played while it is written.
    case file(path: String)
    /// The descriptor of a pipe, which is played while it is written, and its name in messages.
    case pipe(descriptor: Int32, name: String)
  }

  /// An event of a player, with the index of the item, from 0.
  ///
  /// Events of a position in the sound are reported when it is audible, all others immediately.
  public enum Event: Sendable {
    /// A server has replied.
    case opened(item: Int, HTTPReply)
    /// A file that cannot be played while it arrives is being downloaded.
    case fetching(item: Int, byteCount: Int64)
    /// The sound of an item starts, or continues in another format.
    ///
    /// The bitrate is in bits per second; nil if it is unknown.
    case playing(item: Int, SoundLayer, bitrate: Int?)
    /// The title of a radio station changes.
    case title(item: Int, StreamTitle)
    /// The connection was lost, and is re-established after the pause.
    ///
    /// Reported once until data arrives.
    case interrupted(item: Int, HTTPError, pause: Duration)
    /// Data arrives again.
    ///
    /// If `isContinuous` is false, sound is missing.
    case resumed(item: Int, isContinuous: Bool)
    /// All available sound has been played, but more will follow.
    case ranDry(item: Int)
    /// The sound continues after this many seconds of silence.
    case wentOn(item: Int, seconds: Double)
    /// The copy is complete, with its size in bytes.
    case saved(path: String, byteCount: Int64)
    /// The copy was abandoned.
    case notSaved(HTTPError)
    /// The last sound of the item has been played.
    case ended(item: Int)
    /// The player moved to another item before the end of this one.
    case left(item: Int)
    /// The item cannot be played, or not to its end.
    ///
    /// The error is an `HTTPError` or a `SoundFileError`. The next item follows.
    case failed(item: Int, any Error)
  }
}
