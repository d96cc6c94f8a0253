// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A file for the bytes of the first address of a player.
///
/// A file with a known size is kept when all bytes are received. A broadcast, and a stream in
/// segments, is kept up to its end.
final class StreamSaving: Sendable {
  private struct State: ~Copyable {
    var copy: StreamCopy?
    /// The name of the source whose bytes are kept, which is the first.
    var name: String?
    var source: ObjectIdentifier?
    /// The size of the whole sound; nil for a broadcast.
    var byteCount: Int64?
    /// The position in the file of the first byte of the source.
    var start: Int64 = 0
    var end: Int64 = 0
    var failure: HTTPError?
  }

  /// The name of the file.
  let path: String
  private let state: Mutex<State>

  /// Creates the file under a temporary name.
  init(_ wish: HTTPSettings.Copy) throws(HTTPError) {
    path = wish.path
    state = Mutex(State(copy: try StreamCopy(wish)))
  }

  /// Writes bytes.
  func write(_ bytes: [UInt8], at offset: Int64, from source: any StreamSource) {
    let traits = source.traits
    state.withLock { state in
      guard state.failure == nil, state.name == nil || state.name == source.name else { return }
      if state.source != ObjectIdentifier(source) {
        (state.name, state.source) = (source.name, ObjectIdentifier(source))
        state.byteCount = traits.isLive ? nil : traits.byteCount
        state.start = state.byteCount == nil ? state.end : 0
      }
      do throws(HTTPError) {
        try state.copy?.write(bytes, at: state.start + offset)
        state.end = max(state.end, state.start + offset + Int64(bytes.count))
      } catch {
        state.failure = error
        state.copy = nil
      }
    }
  }

  /// The position of the first missing byte of a source; nil if none is missing.
  func missing(of source: any StreamSource) -> Int64? {
    state.withLock { state in
      guard state.source == ObjectIdentifier(source), let count = state.byteCount else {
        return nil
      }
      return state.copy?.missing(count)
    }
  }

  /// Gives the file its name, or removes it.
  ///
  /// - Returns: The size of the file in bytes; nil if this was done before.
  /// - Throws: The reason why it is not kept.
  func finish() throws(HTTPError) -> Int64? {
    let result = state.withLock { state -> Result<Int64?, HTTPError> in
      if let failure = state.failure { return .failure(failure) }
      let end = state.byteCount ?? state.end
      guard let isWhole = state.copy?.isComplete(max(1, end)) else { return .success(nil) }
      guard isWhole else {
        state.copy = nil
        return .failure(.cannotKeep(path: path, reason: "it was not received to its end"))
      }
      do throws(HTTPError) {
        try state.copy?.keep()
        state.copy = nil
        return .success(end)
      } catch {
        state.copy = nil
        return .failure(error)
      }
    }
    return try result.get()
  }
}
