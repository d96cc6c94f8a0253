// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
public import Foundation

/// A property of an asset, a track or a metadata item that is loaded on demand.
open class AVPartialAsyncProperty<Root: AnyObject>: @unchecked Sendable {
  // Unchecked: what is stored does not change.

  let name: String

  init(_ name: String) { self.name = name }
}

/// A property that is loaded on demand, with the type of its value.
public final class AVAsyncProperty<Root: AnyObject, Value>: AVPartialAsyncProperty<Root>,
  @unchecked Sendable
{
  let read: @Sendable (Root) throws(AVError) -> Value

  init(_ name: String, _ read: @escaping @Sendable (Root) throws(AVError) -> Value) {
    self.read = read
    super.init(name)
  }

  /// The loading state of a property.
  public enum Status {
    /// Loading of the property has not been requested yet.
    case notYetLoaded
    /// The property is being loaded.
    case loading
    /// The property is loaded; the associated value is its value.
    case loaded(Value)
    /// The property cannot be loaded, for the reason in the error.
    case failed(NSError)
  }
}

/// An object whose properties are loaded on demand.
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
  /// Loads a property.
  ///
  /// - Parameter property: The property.
  /// - Returns: The value of the property.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<Value>(_ property: AVAsyncProperty<Self, Value>) async throws -> Value {
    let passed: Passed<Value> = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { Passed(value: try property.read(self)) })
      }
    }
    return passed.value
  }

  /// Loads two properties.
  ///
  /// - Parameters:
  ///   - propertyA: The first property.
  ///   - propertyB: The second property.
  /// - Returns: The values of the properties.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>
  ) async throws -> (A, B) { (try await load(propertyA), try await load(propertyB)) }

  /// Loads three properties.
  ///
  /// - Parameters:
  ///   - propertyA: The first property.
  ///   - propertyB: The second property.
  ///   - propertyC: The third property.
  /// - Returns: The values of the properties.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B, C>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ propertyC: AVAsyncProperty<Self, C>
  ) async throws -> (A, B, C) {
    (try await load(propertyA), try await load(propertyB), try await load(propertyC))
  }

  /// Loads four properties.
  ///
  /// - Parameters:
  ///   - propertyA: The first property.
  ///   - propertyB: The second property.
  ///   - propertyC: The third property.
  ///   - propertyD: The fourth property.
  /// - Returns: The values of the properties.
  /// - Throws: An `AVError` if the file or address cannot be read.
  public func load<A, B, C, D>(
    _ propertyA: AVAsyncProperty<Self, A>, _ propertyB: AVAsyncProperty<Self, B>,
    _ propertyC: AVAsyncProperty<Self, C>, _ propertyD: AVAsyncProperty<Self, D>
  ) async throws -> (A, B, C, D) {
    let (a, b, c) = try await load(propertyA, propertyB, propertyC)
    return (a, b, c, try await load(propertyD))
  }

  /// Returns the loading state of a property.
  ///
  /// - Parameter property: The property.
  /// - Returns: The loading state, with the value if the property is loaded.
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
