// SPDX-License-Identifier: Apache-2.0

/// The contents of the `INFO` list when a wrapper is written: texts, a picture, the bank offset,
/// and other chunks.
public struct WrapperInformation: Hashable, Sendable {
  /// A chunk of the `INFO` list.
  public struct Entry: Hashable, Sendable {
    /// The four-letter name of the chunk.
    public var name: ChunkName
    /// The content of the chunk.
    ///
    /// A chunk without bytes is not written.
    public var bytes: [UInt8]

    /// Creates a chunk with a name and content.
    public init(_ name: ChunkName, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// The chunks, in the order in which they are written.
  public var entries: [Entry] = []

  /// Creates an empty list.
  public init() {}

  /// Creates a list with the `INFO` chunks of a wrapper, including unknown ones.
  public init(_ wrapper: SongWrapper) {
    entries = wrapper.information.map { Entry($0.name, Array(wrapper.bytes[$0.content])) }
  }

  /// The bytes of a field; nil removes it.
  ///
  /// A new value replaces all chunks of the field, at the position of the first. If the field did
  /// not exist, it is added at the end.
  public subscript(field: SongWrapper.Field) -> [UInt8]? {
    get {
      for name in field.names {
        if let entry = entries.first(where: { $0.name == name }) { return entry.bytes }
      }
      return nil
    }
    set {
      let place = entries.firstIndex { field.names.contains($0.name) } ?? entries.count
      entries.removeAll { field.names.contains($0.name) }
      if let newValue { entries.insert(Entry(field.names[0], newValue), at: place) }
    }
  }

  /// The bank offset, limited to 0…127; nil if the list does not contain a valid one.
  public var bankOffset: Int? {
    get {
      guard let bytes = self[.bankOffset], bytes.count == 2, bytes[1] == 0, bytes[0] < 128 else {
        return nil
      }
      return Int(bytes[0])
    }
    set { self[.bankOffset] = newValue.map { [UInt8(min(127, max(0, $0))), 0] } }
  }

  /// Sets a field to a text in UTF-8; an empty text or nil removes the field.
  ///
  /// The encoding applies to all texts of the list, so the caller must set the field `encoding` to
  /// `utf-8`, and convert texts that have another encoding.
  public mutating func set(_ field: SongWrapper.Field, _ text: String?) {
    let bytes = text.map { Array($0.utf8) } ?? []
    self[field] = bytes.isEmpty ? nil : bytes
  }
}
