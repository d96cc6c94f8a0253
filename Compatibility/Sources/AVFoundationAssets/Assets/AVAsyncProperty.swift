// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Foundation

/// A property of an asset, a track or a metadata item that is read when it is first needed.
open class AVPartialAsyncProperty<Root: AnyObject>: @unchecked Sendable {
  // Unchecked: what is stored does not change.

  let name: String

  init(_ name: String) { self.name = name }
}

/// A property with its type.
public final class AVAsyncProperty<Root: AnyObject, Value>: AVPartialAsyncProperty<Root>,
  @unchecked Sendable
{
  let read: @Sendable (Root) throws(AVError) -> Value

  init(_ name: String, _ read: @escaping @Sendable (Root) throws(AVError) -> Value) {
    self.read = read
    super.init(name)
  }

  /// The state of reading a property.
  public enum Status {
    /// It was not needed so far.
    case notYetLoaded
    /// It is being read.
    case loading
    /// Its value.
    case loaded(Value)
    /// It cannot be read.
    case failed(NSError)
  }
}

/// An object with properties that are read when they are first needed.
public protocol AVAsynchronousKeyValueLoading: AnyObject, Sendable {
  /// True if the properties were read, or could not be read.
  var hasLoadedProperties: Bool { get }
}

/// A value that passes from the thread that reads it to the one that waits.
private struct Passed<Value>: @unchecked Sendable {
  // Unchecked: the reading thread does not use it afterwards.
  let value: Value
}

extension AVAsynchronousKeyValueLoading {
  /// Reads a property.
  ///
  /// - Parameter property: The property.
  /// - Returns: Its value.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<Value>(_ property: AVAsyncProperty<Self, Value>) async throws -> Value {
    let passed: Passed<Value> = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { Passed(value: try property.read(self)) })
      }
    }
    return passed.value
  }

  /// Reads two properties.
  ///
  /// - Parameters:
  ///   - propertyA: A property.
  ///   - propertyB: Another one.
  /// - Returns: Their values.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>
  ) async throws -> (A, B) { (try await load(propertyA), try await load(propertyB)) }

  /// Reads three properties.
  ///
  /// - Parameters:
  ///   - propertyA: A property.
  ///   - propertyB: Another one.
  ///   - propertyC: Another one.
  /// - Returns: Their values.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B, C>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ propertyC: AVAsyncProperty<Self, C>
  ) async throws -> (A, B, C) {
    (try await load(propertyA), try await load(propertyB), try await load(propertyC))
  }

  /// Reads four properties.
  ///
  /// - Parameters:
  ///   - propertyA: A property.
  ///   - propertyB: Another one.
  ///   - propertyC: Another one.
  ///   - propertyD: Another one.
  /// - Returns: Their values.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B, C, D>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ propertyC: AVAsyncProperty<Self, C>, _ propertyD: AVAsyncProperty<Self, D>
  ) async throws -> (A, B, C, D) {
    let (a, b, c) = try await load(propertyA, propertyB, propertyC)
    return (a, b, c, try await load(propertyD))
  }

  /// Returns how far a property is read.
  ///
  /// - Parameter property: The property.
  /// - Returns: The state, with the value if it was read.
  public func status<Value>(
    of property: AVAsyncProperty<Self, Value>
  ) -> AVAsyncProperty<Self, Value>.Status {
    guard hasLoadedProperties else { return .notYetLoaded }
    do {
      return .loaded(try property.read(self))
    } catch {
      return .failed(error as NSError)
    }
  }
}
