/// The server responses of the demo, compiled in so that the program needs no other files.
enum DemoResponses {
  /// A summary of each restaurant.
  static let list = """
    [
      { "id": 42, "name": "Chez Léonie", "cuisine": "French", "rating": 4.6,
        "image": "https://img.example.com/r/42.jpg" },
      { "id": 43, "name": "麺屋 さくら", "cuisine": "Japanese", "rating": 4.8,
        "image": "https://img.example.com/r/43.jpg" },
      { "id": 57, "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
        "image": "https://img.example.com/r/57.jpg" },
      { "id": 61, "name": "The Green Fork", "cuisine": "Vegan", "rating": 4, "image": null }
    ]
    """

  /// The details of one restaurant.
  static let detail = """
    {
      "id": 42,
      "name": "Chez Léonie",
      "cuisine": "French",
      "rating": 4.6,
      "image": "https://img.example.com/r/42.jpg",
      "phone": "+33 1 55 50 12 42",
      "review_count": 318,
      "address": { "street": "9 rue des Lilas", "city": "Paris", "zip": "75011" },
      "opening_hours": [
        { "day": 2, "opens": "12:00", "closes": "14:30" },
        { "day": 3, "opens": "12:00", "closes": "14:30" },
        { "day": 5, "opens": "19:00", "closes": "23:00" },
        { "day": 6, "opens": "19:00", "closes": "23:30" }
      ],
      "menu": [
        { "id": 4201, "name": "Soupe à l'oignon", "price": 8.5, "vegan": false },
        { "id": 4202, "name": "Ratatouille", "price": 14, "vegan": true },
        { "id": 4203, "name": "Coq au vin", "price": 21.9, "vegan": false }
      ]
    }
    """

  /// The list at a later time.
  static let refreshedList = """
    [
      { "id": 42, "name": "Chez Léonie", "cuisine": "French", "rating": 4.7,
        "image": "https://img.example.com/r/42.jpg" },
      { "id": 43, "name": "麺屋 さくら", "cuisine": "Japanese", "rating": 4.8,
        "image": "https://img.example.com/r/43.jpg" },
      { "id": 57, "name": "Taco Norte", "cuisine": "Mexican", "rating": 3.9,
        "image": "https://img.example.com/r/57.jpg" },
      { "id": 61, "name": "The Green Fork", "cuisine": "Vegan", "rating": 4, "image": null },
      { "id": 70, "name": "Osteria Bruna", "cuisine": "Italian", "rating": 4.2,
        "image": "https://img.example.com/r/70.jpg" }
    ]
    """
}
